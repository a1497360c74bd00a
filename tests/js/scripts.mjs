// Loads scripts of the pages the way the browser gets them: as text, put together in order.

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const ROOT = new URL("../../", import.meta.url);

/** The functions `names` of some scripts, which run in a world with nothing but `given` in it. */
export function functionsOf(files, names, given = {}) {
  const text = files.map((file) => readFileSync(new URL(file, ROOT), "utf-8")).join("\n");
  const script = text.replace(/^export default function /m, "function main ");
  return runInContext(`${script}\n;({ ${names.join(", ")} })`, createContext(given));
}

/** The same of a script that is a module, which awaits something as it starts. */
export async function namesOfModule(file, names, given = {}) {
  const text = readFileSync(new URL(file, ROOT), "utf-8").replace("export {};", "");
  return runInContext(`(async () => {${text}\n;return { ${names.join(", ")} };})()`, createContext(given));
}

/** A value as this world sees it: arrays of another world are not equal to ours. */
export const plain = (value) => JSON.parse(JSON.stringify(value));

/** Storage as in a browser, which refuses more than `room` characters of values. */
export class Shelf {
  #held = new Map();

  constructor(room = Infinity) {
    this.room = room;
    // The names that are held are properties of their own, as `Object.keys` of a real one tells.
    // biome-ignore lint/correctness/noConstructorReturn: a proxy stands for the object itself
    return new Proxy(this, {
      ownKeys: () => [...this.#held.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: (_, name) => this[name].bind(this),
    });
  }

  getItem(name) {
    return this.#held.get(name) ?? null;
  }

  setItem(name, value) {
    const others = [...this.#held].filter(([held]) => held !== name);
    const used = others.reduce((sum, [, text]) => sum + text.length, 0);
    if (used + value.length > this.room) throw new Error("QuotaExceededError");
    this.#held.set(name, value);
  }

  removeItem(name) {
    this.#held.delete(name);
  }
}

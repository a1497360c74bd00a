// The answers of a class, for the type checker.

/** An answer that was handed in; a gate is the number of a question (see Player.gate). */
type Answer = [gate: number, choice: number, sureness: number];

/** Why a code does not count. */
type Problem = "damaged" | "version" | "run";

/** What a code holds, or what is the matter with it. */
interface DecodedCode {
  problem?: Problem;
  run?: number;
  student?: number;
  answers?: Answer[];
}

/** A text with codes: those that count, and how many came again or had none. */
interface DecodedClass {
  count: DecodedCode[];
  problems: { line: number; text: string; problem: Problem }[];
  again: number;
  idle: number;
}

/** How many chose an option, by sureness: not said, not sure, sure. */
type Votes = number[];
/** By option. */
type Choices = Map<number, Votes>;

/** The elements of which more is used than any element has, by their classes; ../types.d.ts has more. */
interface Kinds {
  "codes-in": HTMLTextAreaElement;
  "my-qr": HTMLDetailsElement;
  "of-class": HTMLDetailsElement;
  "scan-view": HTMLVideoElement;
}
type Found<Name extends string> = Name extends keyof Kinds ? Kinds[Name] : HTMLElement;
/** Gives the element of a class. */
type Find = <Name extends string>(name: Name) => Found<Name>;

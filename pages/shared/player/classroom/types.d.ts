// The answers of a class, for the type checker.

/** An answer; a gate is the number of a question (see Player.gate). */
type Answer = [gate: number, choice: number, sureness: number];

/** Why a code does not count. */
type Problem = "damaged" | "version" | "run";

/** The contents of a code, or its problem. */
interface DecodedCode {
  problem?: Problem;
  run?: number;
  student?: number;
  answers?: Answer[];
}

/** A text with codes: those that count, the number of repeated ones and of lines without one. */
interface DecodedClass {
  count: DecodedCode[];
  problems: { line: number; text: string; problem: Problem }[];
  again: number;
  idle: number;
}

/** The votes for an option, by sureness: not stated, not sure, sure. */
type Votes = number[];
/** By option. */
type Choices = Map<number, Votes>;

/** Elements with special types, by class; more in ../types.d.ts. */
interface Kinds {
  "codes-in": HTMLTextAreaElement;
  "my-qr": HTMLDetailsElement;
  "of-class": HTMLDetailsElement;
  "scan-view": HTMLVideoElement;
}
type Found<Name extends string> = Name extends keyof Kinds ? Kinds[Name] : HTMLElement;
/** Returns the element of a class. */
type Find = <Name extends string>(name: Name) => Found<Name>;

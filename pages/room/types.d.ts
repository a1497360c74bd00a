// The messages of a room to a phone (room.py), for the type checker.

interface PhoneQuestion {
  key: string;
  form: Question["form"];
  prompt: TextPart[];
  options: TextPart[][];
}

/** A phone's vote in a round, as the server has it. */
interface PhoneVote {
  answer: Given;
  sureness: number;
}

/** An answer with its votes by sureness; without an answer, the sum of the rarer ones. */
interface PhoneRow {
  answer: Given;
  sure: Votes;
}

interface PhoneState {
  code: string;
  title: string;
  label: string;
  phase: "waiting" | "open" | "revealed";
  question: PhoneQuestion | null;
  /** The number of the question in its room. */
  asked: number | null;
  round: number;
  isShown: boolean;
  /** Of this phone, by round. */
  mine: (PhoneVote | null)[];
  /** The right options, or the accepted texts; there once they are revealed. */
  right?: (number | string)[];
  /** By round; there once they are shown. */
  tallies?: PhoneRow[][];
}

/** What this phone voted last; the server may not have it yet. */
interface SentVote extends PhoneVote {
  asked: number;
  round: number;
}

/** What a phone keeps of a room, over a reload. */
interface KeptRoom {
  phone: string | null;
  vote: SentVote | null;
}

// The code of a student's answers, in the format of lessons/class_codes.py: version, run, student,
// answers, check. Tests compare the two implementations. No DOM here.

const CODE_VERSION = 1;
const SURENESS = 3; // not stated, not sure, sure
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_PRIME = 32749;
const GATES = 2 ** 20;
const CHOICES = 2 ** 10;
const VALUES = new Map([...CROCKFORD].map((character, value) => [character, value]));
for (const [like, value] of Object.entries({ O: 0, I: 1, L: 1 })) VALUES.set(like, value);

/** The number of a run, from the key of its recording. @param {string} key */
function runOf(key) {
  return Number.parseInt(key.slice(0, 5), 16);
}

function fixed(/** @type {number} */ number, /** @type {number} */ size) {
  return Array.from({ length: size }, (_, i) => Math.floor(number / 32 ** (size - 1 - i)) % 32);
}

/** @param {number} number @returns {number[]} */
function varying(number) {
  const rest = Math.floor(number / 16);
  return rest ? [16 + (number % 16), ...varying(rest)] : [number];
}

const numberOf = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum * 32 + value, 0);
const checkOf = (/** @type {number[]} */ values) => values.reduce((sum, value) => (sum * 32 + value) % CODE_PRIME, 1);

/** Encodes answers, which are sorted by gate. @param {DecodedCode} decoded */
function encodeCode({ run, student, answers }) {
  let before = -1;
  const packed = answers.flatMap(([gate, choice, sureness]) => {
    const gap = gate - before;
    before = gate;
    return [...varying(gap), ...varying(choice * SURENESS + sureness)];
  });
  const body = [CODE_VERSION, ...fixed(run, 4), ...fixed(student, 4), ...packed];
  const text = [...body, ...fixed(checkOf(body), 3)].map((value) => CROCKFORD[value]).join("");
  return text.match(/.{1,4}/g).join("-");
}

/** The numbers encoded by characters; null if incomplete or not in shortest form. */
function numbersOf(/** @type {number[]} */ values) {
  const numbers = /** @type {number[]} */ ([]);
  let [number, unit] = [0, 1];
  for (const value of values) {
    number += (value % 16) * unit;
    unit *= 16;
    if (value >= 16) continue;
    if (unit > 16 && !value) return null;
    numbers.push(number);
    [number, unit] = [0, 1];
  }
  return unit > 1 ? null : numbers;
}

function answersOf(/** @type {number[]} */ values) {
  const numbers = numbersOf(values);
  if (!numbers || numbers.length % 2) return null;
  const answers = /** @type {Answer[]} */ ([]);
  let gate = -1;
  for (let i = 0; i < numbers.length; i += 2) {
    gate += numbers[i];
    const choice = Math.floor(numbers[i + 1] / SURENESS);
    if (!numbers[i] || gate >= GATES || choice >= CHOICES) return null;
    answers.push([gate, choice, numbers[i + 1] % SURENESS]);
  }
  return answers;
}

/** The contents of a code, or its `problem`: "damaged", or of another "version". @returns {DecodedCode} */
function decodeCode(/** @type {string} */ text) {
  const values = [...text.toUpperCase().replaceAll("-", "")].map((one) => VALUES.get(one));
  const body = values.slice(0, -3);
  if (values.includes(undefined) || !body.length) return { problem: "damaged" };
  if (checkOf(body) !== numberOf(values.slice(-3))) return { problem: "damaged" };
  if (body[0] !== CODE_VERSION) return { problem: "version" };
  const answers = body.length < 9 ? null : answersOf(body.slice(9));
  if (!answers) return { problem: "damaged" };
  return { run: numberOf(body.slice(1, 5)), student: numberOf(body.slice(5, 9)), answers };
}

// A class code or an address as a QR code, by ISO/IEC 18004: capitals, digits and a few marks
// ("alphanumeric") or bytes, with the error correction "M". Tests compare it with another program, cell
// by cell. No DOM here.

/** @typedef {(number | null)[][]} Cells the rows of a QR code: 1 for a dark cell */

const QR_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
// By version: error codewords of a block, then numbers of blocks and their data codewords.
const QR_BLOCKS = [
  [10, 1, 16], [16, 1, 28], [26, 1, 44], [18, 2, 32], [24, 2, 43], [16, 4, 27], [18, 4, 31],
  [22, 2, 38, 2, 39], [22, 3, 36, 2, 37], [26, 4, 43, 1, 44], [30, 1, 50, 4, 51], [22, 6, 36, 2, 37],
  [22, 8, 37, 1, 38],
];
/** @type {((y: number, x: number) => number)[]} */
const QR_MASKS = [
  (y, x) => (y + x) % 2, (y) => y % 2, (_, x) => x % 3, (y, x) => (y + x) % 3,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2, (y, x) => ((y * x) % 2) + ((y * x) % 3),
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2,
];

// ---- the field GF(256) of the error correction ----

const QR_POWERS = [1];
for (let i = 1; i < 255; i++) {
  const twice = QR_POWERS[i - 1] * 2;
  QR_POWERS.push(twice > 255 ? twice ^ 285 : twice);
}
/** @param {number} a @param {number} b */
const qrTimes = (a, b) => (a && b ? QR_POWERS[(QR_POWERS.indexOf(a) + QR_POWERS.indexOf(b)) % 255] : 0);

/** The error-correcting codewords of the data: the remainder of a polynomial division. */
function errorWords(/** @type {number[]} */ data, /** @type {number} */ size) {
  let divisor = [1];
  for (let i = 0; i < size; i++) {
    const next = [...divisor, 0];
    divisor.forEach((factor, at) => (next[at + 1] ^= qrTimes(factor, QR_POWERS[i])));
    divisor = next;
  }
  const rest = [...data, ...Array(size).fill(0)];
  data.forEach((_, i) => {
    const lead = rest[i];
    divisor.forEach((factor, at) => (rest[i + at] ^= qrTimes(factor, lead)));
  });
  return rest.slice(data.length);
}

// ---- the bits ----

/** @param {number} number @param {number} size */
const bitsOf = (number, size) => Array.from({ length: size }, (_, i) => (number >> (size - 1 - i)) & 1);
/** @param {number[]} blocks @returns {number[]} */
const sizesOf = ([, ...groups]) => groups.flatMap((size, i) => (i % 2 ? Array(groups[i - 1]).fill(size) : []));
const roomOf = (/** @type {number[]} */ blocks) => sizesOf(blocks).reduce((sum, size) => sum + size, 0);

/** The text as bits: its kind, its length, two characters in eleven bits; or each byte in eight. */
function textBits(/** @type {string} */ text, /** @type {number} */ version) {
  const values = [...text].map((character) => QR_CHARACTERS.indexOf(character));
  if (values.includes(-1)) {
    const bytes = [...new TextEncoder().encode(text)];
    const head = [0, 1, 0, 0, ...bitsOf(bytes.length, version < 10 ? 8 : 16)];
    return [...head, ...bytes.flatMap((byte) => bitsOf(byte, 8))];
  }
  const bits = [0, 0, 1, 0, ...bitsOf(text.length, version < 10 ? 9 : 11)];
  for (let i = 0; i < values.length; i += 2) {
    const isPair = i + 1 < values.length;
    bits.push(...(isPair ? bitsOf(values[i] * 45 + values[i + 1], 11) : bitsOf(values[i], 6)));
  }
  return bits;
}

/** All codewords as bits: the interleaved blocks, then the interleaved error codewords. */
function allBits(/** @type {string} */ text, /** @type {number} */ version) {
  const blocks = QR_BLOCKS[version - 1];
  const bits = textBits(text, version);
  bits.push(...Array(Math.min(4, roomOf(blocks) * 8 - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  for (let pad = 236; bits.length < roomOf(blocks) * 8; pad ^= 253) bits.push(...bitsOf(pad, 8));
  const words = Array.from({ length: bits.length / 8 }, (_, i) => Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(""), 2));
  const data = sizesOf(blocks).map((size) => words.splice(0, size));
  const errors = data.map((block) => errorWords(block, blocks[0]));
  const woven = [data, errors].flatMap((all) =>
    Array.from({ length: Math.max(...all.map(({ length }) => length)) }, (_, i) => all.flatMap((block) => block[i] ?? [])).flat(),
  );
  return woven.flatMap((word) => bitsOf(word, 8));
}

// ---- the cells ----

/**
 * A number followed by its error-correcting bits.
 * @param {number} number @param {number} size @param {number} divisor
 */
function protectedBits(number, size, divisor) {
  let rest = number << size;
  const top = divisor.toString(2).length;
  while (rest.toString(2).length >= top && rest) rest ^= divisor << (rest.toString(2).length - top);
  return (number << size) | rest;
}

/** The positions of the alignment patterns. @param {number} version */
function alignments(version) {
  if (version === 1) return [];
  const last = version * 4 + 10;
  return version < 7 ? [6, last] : [6, (last + 6) / 2, last];
}

/** The cells that do not depend on the text; null for those that do. */
function fixedCells(/** @type {number} */ version, /** @type {number} */ mask) {
  const size = version * 4 + 17;
  /** @type {Cells} */
  const cells = Array.from({ length: size }, () => Array(size).fill(null));
  /** @type {(top: number, left: number, reach: number, isDark: (far: number) => boolean) => void} */
  const square = (top, left, reach, isDark) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        if (cells[top + y]?.[left + x] !== undefined) cells[top + y][left + x] = isDark(Math.max(Math.abs(y), Math.abs(x))) ? 1 : 0;
      }
    }
  };
  for (let i = 8; i < size - 8; i++) cells[6][i] = cells[i][6] = (i + 1) % 2;
  const corners = [[3, 3], [3, size - 4], [size - 4, 3]];
  for (const [y, x] of corners) square(y, x, 4, (far) => far !== 2 && far !== 4);
  const places = alignments(version);
  for (const y of places) {
    for (const x of places) {
      const isCorner = (y < 9 && (x < 9 || x > size - 10)) || (x < 9 && y > size - 10);
      if (!isCorner) square(y, x, 2, (far) => far !== 1);
    }
  }
  const format = bitsOf(protectedBits(mask, 10, 0b10100110111) ^ 0b101010000010010, 15);
  format.forEach((bit, i) => {
    cells[8][i < 6 ? i : i < 8 ? i + 1 : size - 15 + i] = bit;
    cells[i < 7 ? size - 1 - i : i < 9 ? 15 - i : 14 - i][8] = bit;
  });
  cells[8][size - 8] = format[7]; // the middle bit, the second time
  cells[size - 8][8] = 1;
  if (version > 6) {
    bitsOf(protectedBits(version, 12, 0b1111100100101), 18).reverse().forEach((bit, i) => {
      const [far, near] = [size - 11 + (i % 3), Math.floor(i / 3)];
      cells[far][near] = cells[near][far] = bit;
    });
  }
  return cells;
}

/**
 * Puts the bits into the free cells, two columns at a time, up and down from the right.
 * @param {Cells} cells @param {number[]} bits @param {number} mask
 */
function filled(cells, bits, mask) {
  const size = cells.length;
  let at = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp) {
    for (let i = 0; i < size; i++) {
      const y = isUp ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (cells[y][x] === null) cells[y][x] = (bits[at++] ?? 0) ^ (QR_MASKS[mask](y, x) ? 0 : 1);
      }
    }
  }
  return cells;
}

/** The penalty of a mask: long runs, squares, corner-like patterns, imbalance of dark and light. */
function penalty(/** @type {Cells} */ cells) {
  const lines = [...cells, ...cells.map((_, x) => cells.map((row) => row[x]))].map((line) => line.join(""));
  const runs = lines.flatMap((line) => [...line.matchAll(/0{5,}|1{5,}/g)].map(([run]) => run));
  const corners = lines.map((line) => [...line.matchAll(/(?=00001011101|10111010000)/g)].length);
  let [squares, dark] = [0, 0];
  cells.forEach((row, y) => row.forEach((cell, x) => {
    dark += cell;
    const below = cells[y + 1];
    if (below && x + 1 < row.length && cell === row[x + 1] && cell === below[x] && cell === below[x + 1]) squares += 1;
  }));
  const off = Math.floor(Math.abs(dark / cells.length ** 2 - 0.5) * 20);
  return runs.reduce((sum, { length }) => sum + length - 2, 0) + 3 * squares + 40 * corners.reduce((a, b) => a + b, 0) + 10 * off;
}

/** The rows of the QR code of a text, 1 for a dark cell; null if the text is too long. */
function qrCells(/** @type {string} */ text) {
  const version = QR_BLOCKS.findIndex((blocks, i) => textBits(text, i + 1).length <= roomOf(blocks) * 8) + 1;
  if (!version) return null;
  const bits = allBits(text, version);
  const drawn = QR_MASKS.map((_, mask) => filled(fixedCells(version, mask), bits, mask));
  const penalties = drawn.map(penalty);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}

// Downloads a picture as PNG: draws its SVG on a canvas and saves that as a file.

const SHARP = 3; // pixels per pixel of the SVG, for printing
const MOST = 8_000; // pixels of the longer side: browsers have no larger canvas everywhere
const FAILED = "This browser could not draw the picture. Take it as SVG instead.";

/** Draw an SVG as PNG. @param {string} svg @returns {Promise<Blob>} */
async function renderPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const scale = Math.min(SHARP, MOST / Math.max(image.naturalWidth, image.naturalHeight));
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the canvas is too large");
  return blob;
}

/** @param {{ name: string, svg: string }} picture @param {HTMLElement} status */
async function save({ name, svg }, status) {
  status.hidden = true;
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await renderPng(svg));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch {
    status.textContent = FAILED;
    status.hidden = false;
  }
}

/** @param {{ data: { name: string, svg: string }, parentElement: ShadowRoot }} given */
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.textContent = `Download ${data.name}`;
  button.onclick = () => save(data, parentElement.querySelector("p"));
}

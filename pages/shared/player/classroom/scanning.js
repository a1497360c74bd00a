// The codes of a class, scanned from the students' screens: by the camera and the browser's own reader of
// QR codes. Where a browser has none, nothing of this is shown, and the codes are pasted.

const GLANCE = 250; // milliseconds between two looks at the picture

/** Whether this browser can read QR codes, and has cameras to ask for. */
function canScan() {
  return "BarcodeDetector" in window && Boolean(navigator.mediaDevices?.getUserMedia);
}

class Scanner {
  stream = /** @type {MediaStream | null} */ (null);
  seen = /** @type {Set<string>} */ (new Set());

  /** `find` gives an element by its class; `take` takes a text and says if it holds a code. */
  constructor(/** @type {Find} */ find, /** @type {(text: string) => boolean} */ take) {
    this.find = find;
    this.take = take;
    find("scan").hidden = !canScan();
    find("scan-start").onclick = () => (this.stream ? this.stop() : this.start());
    find("of-class").addEventListener("toggle", () => find("of-class").open || this.stop());
  }

  async start() {
    const video = this.find("scan-view");
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = this.stream;
      await video.play();
    } catch (error) {
      this.stop();
      const isRefused = /** @type {Error} */ (error).name === "NotAllowedError";
      this.showStatus(isRefused ? "The camera may not be used here. Allow it, or paste the codes." : "No camera could be opened. Paste the codes.");
      return;
    }
    video.hidden = false;
    this.find("scan-start").textContent = "Stop scanning";
    this.showStatus("Hold up a code to the camera.");
    await this.watch(video, new window.BarcodeDetector({ formats: ["qr_code"] }));
  }

  /**
   * Looks again and again, until it is stopped or the page is gone.
   * @param {HTMLVideoElement} video @param {InstanceType<Window["BarcodeDetector"]>} detector
   */
  async watch(video, detector) {
    const { stream } = this;
    while (this.stream === stream && video.isConnected) {
      const found = await detector.detect(video).catch(() => /** @type {{ rawValue: string }[]} */ ([]));
      if (this.stream === stream) for (const { rawValue } of found) this.see(rawValue);
      await new Promise((resolve) => setTimeout(resolve, GLANCE));
    }
    for (const track of stream.getTracks()) track.stop();
  }

  see(/** @type {string} */ text) {
    if (this.seen.has(text)) return;
    if (!this.take(text)) return this.showStatus("That QR code holds no code of a class.");
    this.seen.add(text);
    this.showStatus(`${counted(this.seen.size, "code")} scanned.`);
  }

  showStatus(/** @type {string} */ text) {
    this.find("scanned").textContent = text;
  }

  stop() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    this.find("scan-view").hidden = true;
    this.find("scan-view").srcObject = null;
    this.find("scan-start").textContent = "Scan QR codes with the camera";
  }
}

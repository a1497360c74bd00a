// Scans the codes of a class from the students' screens, with the camera and the browser's QR code
// reader. Hidden in browsers without one.

const GLANCE = 250; // milliseconds between two detections

/** Whether this browser can read QR codes and use cameras. */
function canScan() {
  return "BarcodeDetector" in window && Boolean(navigator.mediaDevices?.getUserMedia);
}

class Scanner {
  stream = /** @type {MediaStream | null} */ (null);
  seen = /** @type {Set<string>} */ (new Set());

  /** `find` gives an element by its class; `accept` receives a text and returns whether it contains a code. */
  constructor(/** @type {Find} */ find, /** @type {(text: string) => boolean} */ accept) {
    this.find = find;
    this.accept = accept;
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
      const isDenied = /** @type {Error} */ (error).name === "NotAllowedError";
      this.showStatus(isDenied ? "The camera may not be used here. Allow it, or paste the codes." : "No camera could be opened. Paste the codes.");
      return;
    }
    video.hidden = false;
    this.find("scan-start").textContent = "Stop scanning";
    this.showStatus("Hold up a code to the camera.");
    await this.watch(video, new window.BarcodeDetector({ formats: ["qr_code"] }));
  }

  /**
   * Detects codes until stopped or removed from the page.
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
    if (!this.accept(text)) return this.showStatus("That QR code holds no code of a class.");
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

// Browsers start no worker from a file. For the search of a site that is opened from a folder, a
// hidden frame takes the worker's place. The theme's search asks for this name in the parent page.
if (location.protocol === "file:") {
  const load = (inside, src) =>
    new Promise((done, failed) => {
      const script = Object.assign(inside.document.createElement("script"), { src, onload: done, onerror: failed });
      inside.document.body.append(script);
    });

  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true });
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      inside.importScripts = async (...addresses) => {
        for (const one of addresses) await load(inside, one);
      };
      this.loaded = load(inside, address);
    }

    async postMessage(data) {
      await this.loaded;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

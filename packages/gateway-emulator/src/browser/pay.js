// The provider's client script, version 2, for cards only. It builds the frame that takes the card, and carries messages
// of the form `name::payload` between the frame and this page.
(() => {
  // Set by the server. The provider's own script may leave getPaymentKey's promise open forever when the card is refused;
  // by default this one does too.
  const REJECTS = false;
  // Set by the server. Once its frame is gone, the provider's own script throws on every message to the window.
  const THROWS_WITHOUT_FRAME = true;
  const FRAME_ID = 'paymentCardIFrame';
  const SCRIPT_PATH = /^(.*)\/js\/v\d+\/pay\.js/;

  const script = [...document.querySelectorAll('script[src]')].find(({ src }) => SCRIPT_PATH.test(src));
  const host = script ? SCRIPT_PATH.exec(script.src)[1] : location.origin;

  /** Each option as JSON inside the JSON; strings stay as they are. */
  function optionsOf(config) {
    const texts = Object.entries(config).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return Object.fromEntries(texts);
  }

  /** Checks and wallets: the entries exist, but nothing can be paid with them. */
  class UnavailableEntry {
    generateHTML() {}

    addHTML() {}

    addButton() {}

    addEventListener() {}

    on() {}

    async loadLibrary() {}

    async checkCompatibility() {
      throw new Error('The emulator takes cards only');
    }
  }

  class PaymentCardEntry {
    #publicKey;
    #config = {};
    #frame;
    #listeners = [];

    constructor(publicKey) {
      this.#publicKey = publicKey;
      window.addEventListener('message', (message) => this.#receive(message));
    }

    generateHTML(config) {
      // The provider's script uses `in` on it, so it also throws without an object.
      if (typeof config !== 'object' || config === null) throw new TypeError('generateHTML needs an object');
      this.#config = config;
    }

    addHTML(containerId) {
      const container = document.getElementById(containerId);
      if (!container) throw new Error(`There is no element with the id ${containerId}`);
      this.#frame = this.#newFrame();
      container.replaceChildren(this.#frame);
    }

    addEventListener(type, listener) {
      this.#listeners.push({ type, listener });
    }

    /** Asks the frame for a key; the answer arrives as an event. */
    generateToken() {
      this.#send('generateToken', 'true');
    }

    #newFrame() {
      const frame = document.createElement('iframe');
      frame.id = FRAME_ID;
      frame.title = 'Card details';
      frame.width = '100%';
      frame.height = '100%';
      frame.setAttribute('frameborder', '0');
      frame.src = `${host}/js/v2/card.html#${encodeURIComponent(this.#publicKey)}`;
      return frame;
    }

    #send(name, payload) {
      this.#frame?.contentWindow?.postMessage(`${name}::${payload}`, '*');
    }

    #receive({ source, data }) {
      if (!this.#frame) return;
      const frame = THROWS_WITHOUT_FRAME ? document.getElementById(FRAME_ID) : this.#frame;
      if (source !== frame.contentWindow || typeof data !== 'string') return;
      const [name, payload] = data.split('::');
      if (name === 'ready') {
        this.#send('addConfig', JSON.stringify(optionsOf(this.#config)));
        this.#send('displayForm', 'true');
      }
      for (const { type, listener } of [...this.#listeners]) if (type === name) listener(payload);
    }
  }

  class Client {
    constructor(publicKey) {
      this.pubKey = publicKey;
      this.publicKey = publicKey;
    }

    createPaymentCardEntry() {
      return new PaymentCardEntry(this.publicKey);
    }

    createPaymentCheckEntry() {
      return new UnavailableEntry();
    }

    createApplePayEntry() {
      return new UnavailableEntry();
    }

    createGooglePayEntry() {
      return new UnavailableEntry();
    }

    getPaymentKey(entry) {
      return new Promise((resolve, reject) => {
        // As in the original, these listeners stay: a later key also resolves earlier promises.
        entry.addEventListener('paymentKey', (payload) => resolve(JSON.parse(payload)));
        if (REJECTS) {
          entry.addEventListener('error', (payload) => {
            const error = JSON.parse(payload);
            if (error.message !== '') reject(error);
          });
        }
        entry.generateToken();
      });
    }
  }

  window.usaepay = { Client };
})();

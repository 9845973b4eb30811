import { expect } from '@playwright/test';
import { By, type WebDriver, type WebElement } from 'selenium-webdriver';

/** A page of WebKit, with the few acts that its tests need. */
export class WebKitPage {
  readonly driver: WebDriver;
  readonly #baseURL: string;

  constructor(driver: WebDriver, baseURL: string) {
    this.driver = driver;
    this.#baseURL = baseURL;
  }

  async open(path: string): Promise<void> {
    await this.driver.get(this.#baseURL + path);
  }

  async expectPath(path: string): Promise<void> {
    await expect.poll(async () => (await this.driver.getCurrentUrl()).replace(this.#baseURL, '')).toBe(path);
  }

  async expectHeading(title: string): Promise<void> {
    await expect
      .poll(() => this.run<string>('return document.querySelector("h1")?.innerText ?? ""'))
      .toBe(title);
  }

  async expectText(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.run<string>('return document.body.innerText')).toMatch(text);
  }

  /** Types into the field with this label. */
  async type(label: string, text: string): Promise<void> {
    await (await this.#field(label)).sendKeys(text);
  }

  async check(label: string): Promise<void> {
    await (await this.#field(label)).click();
  }

  async press(words: string): Promise<void> {
    await (await this.button(words)).click();
  }

  /** The button or link that begins with these words, as soon as it can be pressed. */
  async button(words: string): Promise<WebElement> {
    const path = By.xpath(
      `//*[self::button or self::a][starts-with(normalize-space(), "${words}")][not(@disabled)]`,
    );
    return this.driver.wait(
      async () => (await this.driver.findElements(path))[0] ?? false,
      30_000,
      words,
    ) as Promise<WebElement>;
  }

  /** Presses twice at once. */
  async pressTwice(words: string): Promise<void> {
    const button = await this.button(words);
    await this.driver.actions().doubleClick(button).perform();
  }

  /** Fills the card's fields with a person's keys: the driver can't reach into a frame of another origin. */
  async typeCard(values: string[]): Promise<void> {
    await expect
      .poll(() => this.run<string>('return document.querySelector(".card-frame")?.dataset.state ?? ""'))
      .toBe('ready');
    const frame = await this.driver.findElement(By.css('#paymentCardIFrame'));
    await this.run('arguments[0].scrollIntoView({ block: "center" })', frame);
    const outer = await this.#boxes(frame, 'return [arguments[0]].map(boxOf)');
    await this.driver.switchTo().frame(frame);
    const fields = await this.#boxes(null, 'return [...document.querySelectorAll("input")].map(boxOf)');
    await this.driver.switchTo().defaultContent();
    const [corner] = outer;
    if (!corner) throw new Error('The frame has no box.');
    for (const [index, value] of values.entries()) {
      const field = fields[index];
      if (!field) throw new Error(`The card has no field ${index}.`);
      const x = Math.round(corner.left + field.left + field.width / 2);
      const y = Math.round(corner.top + field.top + field.height / 2);
      await this.driver.actions().move({ x, y }).click().sendKeys(value).perform();
    }
  }

  /** How many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    const { scrollWidth, clientWidth } = await this.run<{ scrollWidth: number; clientWidth: number }>(
      'const { scrollWidth, clientWidth } = document.documentElement; return { scrollWidth, clientWidth }',
    );
    return scrollWidth - clientWidth;
  }

  async run<T>(script: string, ...given: unknown[]): Promise<T> {
    return (await this.driver.executeScript(script, ...given)) as T;
  }

  async #boxes(element: WebElement | null, script: string): Promise<Box[]> {
    return this.run<Box[]>(
      `const boxOf = (element) => { const { left, top, width, height } = element.getBoundingClientRect(); return { left, top, width, height }; }; ${script}`,
      element,
    );
  }

  async #field(label: string): Promise<WebElement> {
    return this.driver.wait(
      () =>
        this.driver.executeScript<WebElement | null>(
          'return [...document.querySelectorAll("label")].find(({ innerText }) => innerText.trim().startsWith(arguments[0]))?.control ?? null',
          label,
        ),
      30_000,
      label,
    ) as Promise<WebElement>;
  }
}

type Box = { left: number; top: number; width: number; height: number };

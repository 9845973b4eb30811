import { expect, test } from 'vitest';
import { describeDevice, UNKNOWN_BROWSER } from './describe-device.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';
const CHROMEBOOK = 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const GECKO = 'Gecko/20100101 Firefox/133.0';

const AGENTS: readonly (readonly [device: string, userAgent: string | undefined])[] = [
  ['Chrome on Windows', `${WINDOWS} ${BLINK} Safari/537.36`],
  ['Chrome on Mac', `${MAC} ${BLINK} Safari/537.36`],
  ['Chrome on Linux', `${LINUX} ${BLINK} Safari/537.36`],
  ['Chrome on Linux', `${LINUX} ${BLINK.replace('Chrome', 'HeadlessChrome')} Safari/537.36`],
  ['Chrome on ChromeOS', `${CHROMEBOOK} ${BLINK} Safari/537.36`],
  ['Chrome on Android', `${ANDROID} ${BLINK} Mobile Safari/537.36`],
  ['Chrome on iPhone', `${IPHONE} ${WEBKIT} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPad', `${IPAD} ${WEBKIT} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  ['Edge on Windows', `${WINDOWS} ${BLINK} Safari/537.36 Edg/131.0.0.0`],
  ['Edge on Mac', `${MAC} ${BLINK} Safari/537.36 Edg/131.0.0.0`],
  ['Edge on Linux', `${LINUX} ${BLINK} Safari/537.36 Edg/131.0.0.0`],
  ['Edge on Android', `${ANDROID} ${BLINK} Mobile Safari/537.36 EdgA/131.0.0.0`],
  ['Edge on iPhone', `${IPHONE} ${WEBKIT} Version/18.0 EdgiOS/131.0 Mobile/15E148 Safari/604.1`],
  ['Opera on Windows', `${WINDOWS} ${BLINK} Safari/537.36 OPR/115.0.0.0`],
  ['Opera on Mac', `${MAC} ${BLINK} Safari/537.36 OPR/115.0.0.0`],
  ['Opera on Android', `${ANDROID} ${BLINK} Mobile Safari/537.36 OPR/86.0.0.0`],
  ['Opera on iPhone', `${IPHONE} ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1 OPT/5.1.0`],
  ['Samsung Internet on Android', `${ANDROID} ${BLINK} SamsungBrowser/27.0 Mobile Safari/537.36`],
  ['Samsung Internet on Linux', `${LINUX} ${BLINK} SamsungBrowser/27.0 Safari/537.36`],
  ['Vivaldi on Windows', `${WINDOWS} ${BLINK} Safari/537.36 Vivaldi/7.0.3495.6`],
  ['Vivaldi on Linux', `${LINUX} ${BLINK} Safari/537.36 Vivaldi/7.0.3495.6`],
  ['DuckDuckGo on Mac', `${MAC} ${WEBKIT} Version/18.1 Safari/605.1.15 Ddg/18.1`],
  ['DuckDuckGo on Android', `${ANDROID} ${BLINK} Mobile DuckDuckGo/5 Safari/537.36`],
  ['DuckDuckGo on iPhone', `${IPHONE} ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1 Ddg/18.1`],
  ['DuckDuckGo on Windows', `${WINDOWS} ${BLINK} Safari/537.36 Ddg/131.0`],
  ['Firefox on Windows', `${WINDOWS.replace(')', '; rv:133.0)')} ${GECKO}`],
  ['Firefox on Mac', `${MAC} ${GECKO}`],
  ['Firefox on Linux', `${LINUX} ${GECKO}`],
  ['Firefox on Android', `Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0`],
  ['Firefox on iPhone', `${IPHONE} ${WEBKIT} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
  ['Firefox on iPad', `${IPAD} ${WEBKIT} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on Mac', `${MAC} ${WEBKIT} Version/18.1 Safari/605.1.15`],
  ['Safari on iPhone', `${IPHONE} ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['Safari on iPad', `${IPAD} ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['Chrome', 'Chrome/131.0'],
  ['Unknown browser', undefined],
  ['Unknown browser', ''],
  ['Unknown browser', 'curl/8.5.0'],
  ['Unknown browser', '<script>alert(1)</script>'],
  ['Unknown browser', 'x'.repeat(10_000)],
  ['Unknown browser', 'Chromé/1 on Wíndows'],
];

test('tells forty devices apart', () => {
  expect(AGENTS.length).toBeGreaterThanOrEqual(40);
});

test.each(AGENTS)('%s describes %j', (device, userAgent) => {
  expect(describeDevice(userAgent, UNKNOWN_BROWSER)).toBe(device);
  expect(device.length).toBeLessThanOrEqual(60);
});

// The page inside the frame. The card number stays here and goes only to this origin; the outer page gets a key, errors
// and the news that the form is ready.

/** The provider's own misspelling. */
const UNREADABLE_CARD = 'Invalid card informtion';

const TEXTS = {
  number: {
    required: 'card number is required',
    invalid: 'invalid card number',
    length: 'invalid length',
  },
  expiration: {
    required: 'expiration date is required',
    invalid: UNREADABLE_CARD,
    expired: 'card is expired',
  },
  cvv: { required: 'cvv is required', length: 'invalid length' },
};

const CODES = { required: '1', invalid: '2', expired: '3', length: '4' };

/** The API's error codes for an unreadable card. */
const CARD_ERRORS = [11, 12, 13, 14, 15, 16, 17];

const BRANDS = [
  { name: 'Visa', pattern: /^4/, lengths: [13, 16] },
  { name: 'MasterCard', pattern: /^(5[1-5]|2[2-7])/, lengths: [16] },
  { name: 'American Express', pattern: /^3[47]/, lengths: [15] },
  { name: 'Discover', pattern: /^6(011|4[4-9]|5)/, lengths: [16] },
];

const publicKey = decodeURIComponent(location.hash.slice(1));
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
const brandMark = document.querySelector('.brand');
const inputs = { number: form.number, expiration: form.expiration, cvv: form.cvv };
const touched = new Set();
const shownErrors = new Map();

let config = {};
/** The digits behind a masked number. */
let maskedDigits = '';
let isGenerating = false;

function tell(name, payload) {
  // A payload must not contain the separator.
  parent.postMessage(`${name}::${payload.replaceAll('::', ':')}`, '*');
}

function digitsOf(text) {
  return text.replace(/\D/g, '');
}

function cardNumber() {
  return maskedDigits || digitsOf(inputs.number.value);
}

function brandOf(number) {
  return BRANDS.find(({ pattern }) => pattern.test(number));
}

function passesLuhn(number) {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 === 0 ? digit : digit * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** What was typed as MMYY: `1/30`, `01 / 2030` and `0130` are the same month. */
function expirationDigits() {
  const [month, year] = inputs.expiration.value.split('/').map(digitsOf);
  if (year === undefined) return month.length === 6 ? `${month.slice(0, 2)}${month.slice(4)}` : month;
  return `${month.padStart(2, '0')}${year.slice(-2)}`;
}

const PROBLEMS = {
  number() {
    const number = cardNumber();
    if (number === '') return 'required';
    const brand = brandOf(number);
    if (number.length >= 4 && !brand) return 'invalid';
    if (!brand?.lengths.includes(number.length)) return 'length';
    return passesLuhn(number) ? undefined : 'invalid';
  },
  expiration() {
    const digits = expirationDigits();
    if (digits === '') return 'required';
    const month = Number(digits.slice(0, 2));
    if (digits.length !== 4 || month < 1 || month > 12) return 'invalid';
    const firstDayAfter = new Date(2000 + Number(digits.slice(2)), month, 1);
    return firstDayAfter <= new Date() ? 'expired' : undefined;
  },
  cvv() {
    const code = inputs.cvv.value;
    if (code === '') return config.cvv_required === false ? undefined : 'required';
    return /^\d{3,4}$/.test(code) ? undefined : 'length';
  },
};

function messageOf(name, reason) {
  const custom = config.custom_error_messages?.[name];
  const own = typeof custom === 'string' ? custom : custom?.[reason];
  return own ?? TEXTS[name][reason];
}

/** Shows a field's state, and tells the outer page when it has changed. */
function check(name) {
  const reason = PROBLEMS[name]();
  const input = inputs[name];
  const message = reason ? messageOf(name, reason) : '';
  input.setAttribute('aria-invalid', String(reason !== undefined));
  input.classList.toggle('payjs-invalid', reason !== undefined);
  input.classList.toggle('payjs-valid', reason === undefined);
  document.getElementById(`${name}-error`).textContent = message;
  if ((shownErrors.get(name) ?? '') === message) return reason === undefined;
  shownErrors.set(name, message);
  const error = reason
    ? { type: name, code: CODES[reason], message, reason }
    : { type: name, code: '0', message: '', reason: 'clear error' };
  tell('error', JSON.stringify(error));
  return reason === undefined;
}

function checkAll() {
  const wrong = Object.keys(inputs).filter((name) => {
    touched.add(name);
    // Report a repeated refusal again, so that every attempt gets an answer.
    shownErrors.delete(name);
    return !check(name);
  });
  if (wrong.length > 0) inputs[wrong[0]].focus();
  status.textContent = wrong.map((name) => shownErrors.get(name)).join('. ');
  return wrong.length === 0;
}

async function generateToken() {
  if (isGenerating || !checkAll()) return;
  isGenerating = true;
  try {
    const creditcard = { number: cardNumber(), expiration: expirationDigits(), cvc: inputs.cvv.value };
    const response = await fetch('/api/v2/pub/payment_keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${publicKey}:s2//`)}` },
      body: JSON.stringify({ creditcard }),
    });
    const answer = await response.json();
    if (response.ok) return tell('paymentKey', JSON.stringify(answer));
    refuse(String(answer.errorcode), CARD_ERRORS.includes(answer.errorcode) ? UNREADABLE_CARD : answer.error);
  } catch {
    refuse('99', 'Unable to reach the card processor');
  } finally {
    isGenerating = false;
  }
}

function refuse(code, message) {
  status.textContent = message;
  tell('error', JSON.stringify({ type: 'paymentKey', code, message, reason: 'refused' }));
}

function dashed(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function ruleOf(selector, style) {
  const own = Object.entries(style).filter(([, value]) => typeof value !== 'object');
  const nested = Object.entries(style).filter(
    ([key, value]) => key.startsWith(':') && typeof value === 'object',
  );
  const body = own.map(([name, value]) => `${dashed(name)}:${value};`).join('');
  return [`${selector}{${body}}`, ...nested.map(([key, value]) => ruleOf(`${selector}${key}`, value))].join(
    '\n',
  );
}

function applyStyles(styles) {
  const text =
    typeof styles === 'string'
      ? styles
      : Object.entries(styles)
          .map(([name, style]) => ruleOf(name.startsWith(':') ? name : `.payjs-${name}`, style))
          .join('\n');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [sheet];
}

/** The provider's script sends options as JSON inside the JSON; other pages send them unchanged. */
function readOption(value) {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function applyConfig(sent) {
  config = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, readOption(value)]));
  if (config.styles) applyStyles(config.styles);
  for (const [name, input] of Object.entries(inputs)) {
    const placeholder = config.placeholders?.[name];
    if (typeof placeholder === 'string') input.placeholder = placeholder;
    const label = config.labels?.[name];
    if (typeof label === 'string') document.querySelector(`label[for=${input.id}]`).textContent = label;
  }
  inputs.cvv.required = config.cvv_required !== false;
  form.classList.toggle('labels-hidden', config.display_labels === false);
  form.classList.toggle('labels-left', config.label_position === 'left');
  // Hidden errors are shown by the outer page, and stay available to screen readers here.
  form.classList.toggle('errors-hidden', config.display_errors !== true);
}

function grouped(digits) {
  const groups = brandOf(digits)?.name === 'American Express' ? /^(\d{4})(\d{0,6})(\d{0,5})/ : undefined;
  if (groups) return digits.replace(groups, (_, ...parts) => parts.slice(0, 3).filter(Boolean).join(' '));
  return digits.replace(/(\d{4})(?=\d)/g, '$1 ');
}

function formatNumber() {
  const { number: input } = inputs;
  const isAtEnd = input.selectionStart === input.value.length;
  const digits = digitsOf(input.value).slice(0, 19);
  // Reformatting would move the cursor of somebody who types in the middle.
  if (isAtEnd) input.value = grouped(digits);
  const brand = config.hide_icon === true ? undefined : brandOf(digits);
  brandMark.textContent = digits.length >= 4 ? (brand?.name ?? '') : '';
  brandMark.parentElement.classList.toggle('has-brand', brandMark.textContent !== '');
}

function formatExpiration(event) {
  const { expiration: input } = inputs;
  if (event.inputType?.startsWith('delete')) return;
  const digits = digitsOf(input.value);
  // A typed slash after the inserted one is the same slash.
  if (input.value.includes('/')) input.value = input.value.replace(/\s*\/[\s/]*/, ' / ');
  else if (/^[2-9]$/.test(digits)) input.value = `0${digits} / `;
  else if (digits.length >= 2 && digits.length <= 4)
    input.value = `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

inputs.number.addEventListener('input', formatNumber);
inputs.number.addEventListener('focus', () => {
  if (maskedDigits === '') return;
  inputs.number.value = grouped(maskedDigits);
  maskedDigits = '';
});
inputs.expiration.addEventListener('input', formatExpiration);
inputs.cvv.addEventListener('input', () => {
  inputs.cvv.value = digitsOf(inputs.cvv.value);
});

for (const [name, input] of Object.entries(inputs)) {
  input.addEventListener('input', () => touched.has(name) && check(name));
  input.addEventListener('blur', () => {
    // Tabbing through an empty field isn't an error yet.
    if (input.value !== '') touched.add(name);
    if (touched.has(name)) check(name);
    if (name !== 'number' || config.mask_ccnum !== true || PROBLEMS.number()) return;
    maskedDigits = digitsOf(input.value);
    input.value = `•••• ${maskedDigits.slice(-4)}`;
  });
}

form.addEventListener('submit', (event) => event.preventDefault());

const RECEIVERS = {
  addConfig: (payload) => applyConfig(JSON.parse(payload)),
  displayForm: (payload) => {
    form.hidden = payload !== 'true';
  },
  generateToken,
};

window.addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  const separator = data.indexOf('::');
  const name = data.slice(0, separator);
  if (separator > 0 && Object.hasOwn(RECEIVERS, name)) RECEIVERS[name](data.slice(separator + 2));
});

tell('ready', 'true');

import type { IncomingHttpHeaders } from 'node:http';
import type { RecordedBody, RecordedPart } from './recorded-body.ts';

/** The text that replaces a secret. */
export const mask = '***';

/** Removes secrets from recorded requests and answers. All other text stays exactly as it was sent. */
export interface Masking {
  /** Masks the values of secret parameters in a path with a query. */
  target(target: string): string;
  /** Masks headers, each as one text. The scheme of `Authorization` remains. */
  headers(headers: IncomingHttpHeaders): Readonly<Record<string, string>>;
  /** @param type the `Content-Type` */
  body(body: RecordedBody, type: string): RecordedBody;
}

/**
 * @param secrets values that must not appear anywhere, such as every token that the platform has issued. Secrets that are
 *   not listed, such as an app's, are recognized by the name of their parameter, header or field
 */
export function createMasking(secrets: Iterable<string>): Masking {
  // A short secret could be any word. Longest first, in case one contains another.
  const known = [...secrets].filter(({ length }) => length >= 8).flatMap(formsOf);
  known.sort((a, b) => b.length - a.length);
  const shortest = known.at(-1)?.length ?? Infinity;

  function text(given: string): string {
    if (given.length < shortest) return given;
    return known.reduce((masked, secret) => masked.replaceAll(secret, mask), given);
  }

  /** Masks the values of a query or a form. */
  function pairs(given: string): string {
    const masked = given.split('&').map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0) return text(pair);
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const decoded = decodeForm(value);
      if (value !== '' && isSecretName(decodeForm(name))) return `${text(name)}=${mask}`;
      const clean = text(decoded);
      return `${text(name)}=${clean === decoded ? value : encodeURIComponent(clean)}`;
    });
    return masked.join('&');
  }

  function content(given: string, type: string): string {
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) return pairs(given);
    if (/\bjson\b/i.test(type)) return maskJson(given, text);
    return text(given);
  }

  function part(given: RecordedPart): RecordedPart {
    if (!('text' in given)) return given;
    const isSecret = given.name !== undefined && isSecretName(given.name);
    return { ...given, text: isSecret ? mask : content(given.text, given.type ?? '') };
  }

  /** Masks a part's name too, because a caller may send secrets anywhere. */
  const named = (given: RecordedPart): RecordedPart => ({
    ...given,
    ...(given.name !== undefined && { name: text(given.name) }),
    ...(given.filename !== undefined && { filename: text(given.filename) }),
    ...(given.type !== undefined && { type: text(given.type) }),
  });

  return {
    target(target) {
      const at = target.indexOf('?');
      if (at < 0) return path(target);
      return `${path(target.slice(0, at))}?${pairs(target.slice(at + 1))}`;
    },
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[text(name), header(name, [value].flat().join(', '))]],
        ),
      ),
    body(body, type) {
      if ('parts' in body) return { ...body, parts: body.parts.map((one) => named(part(one))) };
      return 'text' in body ? { ...body, text: content(body.text, type) } : body;
    },
  };

  function path(given: string): string {
    const segments = given.split('/').map((segment) => {
      const decoded = decode(segment);
      const clean = text(decoded);
      return clean === decoded ? segment : encodeURIComponent(clean);
    });
    // A secret may contain a slash.
    return text(segments.join('/'));
  }

  function header(name: string, value: string): string {
    if (name === 'authorization' || name === 'proxy-authorization') {
      return value.replace(/^((?:basic|bearer|oauth) +)?.*$/is, `$1${mask}`);
    }
    return name === 'cookie' || isSecretName(name) ? mask : text(value);
  }
}

const pageName = /^(next|prev|previous|page|continuation)[-_.]?(page[-_.]?)?token$/i;
const secretName =
  /(token|secret|password|verifier|challenge|signature|credential|proof|assertion|api[-_]?key)s?$|^((authorization|auth)[-_]?)?code$/i;

/** Returns true if a parameter, header or field of this name has a secret value. The token of a list's page is not secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !pageName.test(name);
}

/** Returns the forms in which a value can be written in an address, a form or JSON. */
function formsOf(secret: string): string[] {
  const inForm = String(new URLSearchParams({ '': secret })).slice(1);
  return [...new Set([secret, encodeURIComponent(secret), inForm, secret.replaceAll('/', '\\/')])];
}

/**
 * Masks the values of secret fields in JSON, at any depth, and leaves everything else as written: numbers beyond 2^53 and white
 * space included. Works on malformed JSON too, such as half a body.
 *
 * @param maskText masks the secrets within any other string
 */
export function maskJson(json: string, maskText: (text: string) => string): string {
  /** True for each open object or array that is the value of a secret field. */
  const open: boolean[] = [];
  let name: string | undefined;
  let isValue = false;
  const isSecret = () => open.at(-1) === true || (isValue && name !== undefined && isSecretName(name));
  return json.replaceAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs, (token, at: number) => {
    switch (token) {
      case '{':
      case '[':
        open.push(isSecret());
        [name, isValue] = [undefined, false];
        return token;
      case '}':
      case ']':
        open.pop();
        [name, isValue] = [undefined, false];
        return token;
      case ',':
        [name, isValue] = [undefined, false];
        return token;
      case ':':
        isValue = true;
        return token;
    }
    const isText = token.startsWith('"');
    const decoded = isText ? parseText(token) : token;
    const isName = isText && /^\s*:/.test(json.slice(at + token.length, at + token.length + 20));
    if (isName) name = decoded;
    else if (isSecret()) return token === 'null' ? token : `"${mask}"`;
    const clean = maskText(decoded);
    if (clean === decoded) return token;
    return isText ? JSON.stringify(clean) : clean;
  });
}

/**
 * Parses a string literal.
 *
 * @param literal a string literal of JSON, perhaps without its end
 */
function parseText(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const decodeForm = (text: string) => decode(text.replaceAll('+', ' '));

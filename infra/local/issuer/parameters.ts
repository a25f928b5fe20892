import type { Call } from './types.ts';

/** The parameters of an OAuth request. */
export interface Parameters {
  /** Parameters without a value count as omitted (RFC 6749, section 3.1). */
  readonly values: Readonly<Record<string, string>>;
  /** Names that came more than once, which is not allowed (RFC 6749, sections 3.1 and 3.2). */
  readonly repeated: readonly string[];
}

/** Whether the body has the only media type that OAuth's endpoints accept. */
export function isForm({ headers }: Pick<Call, 'headers'>): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/x-www-form-urlencoded';
}

/** Reads the query of a GET, or the form of a POST. */
export function parametersOf(call: Call): Parameters {
  if (call.method !== 'POST') return readParameters(call.query);
  return readParameters(new URLSearchParams(isForm(call) ? call.body : ''));
}

function readParameters(given: URLSearchParams): Parameters {
  const present = [...given].filter(([, value]) => value !== '');
  const names = present.map(([name]) => name);
  return {
    values: Object.fromEntries(present),
    repeated: [...new Set(names.filter((name, index) => names.indexOf(name) !== index))],
  };
}

/** The value of a cookie; undefined if the browser sent none. */
export function cookieOf({ headers }: Pick<Call, 'headers'>, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

import fc from 'fast-check';
import * as z from 'zod';
import { objectKeyFor } from '../../lib/media/urls.ts';

/** Texts that have broken services before: control characters, lone surrogates, injections, names of built-ins. */
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f\u007f\u0085',
  '\ud83d',
  '\ude00x',
  '\uFEFF',
  '\uFFFD',
  '\u202e\u2066',
  '\r\nSet-Cookie: a=b',
  "' OR 1=1; DROP TABLE posts; --",
  '<script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an injection, not a template.
  '${7*7}{{7*7}}',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e400',
  '٣',
  'İıſK',
  '👨‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(256),
  'x'.repeat(3_000),
];

const hostileNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e21,
  -1e21,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  2 ** 31,
  2 ** 63,
];

const hostileNames = ['__proto__', 'constructor', 'toString', '', ' ', '\u0000', '0', 'a.b', '[0]', '\ud800'];

/** Malformed and extreme JSON documents. */
const hostileDocuments = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  '{}',
  'null',
  'true',
  '""',
  '0',
  '"\\ud800"',
  '1e400',
  '-1e400',
  '9007199254740993',
  '{"a":1e400}',
  '{"__proto__":{"platforms":[]}}',
  '{"__proto__":"\\u0000"}',
  '{"constructor":{"prototype":1}}',
  '{"toString":9007199254740993}',
  '{"a":1,"a":2}',
  "{'a':1}",
  '{"a":1,}',
  '[1,]',
  'undefined',
  'NaN',
  '{"a":\u0001}',
  '{"content":"\u0001"}',
  '{"content":"\\u0000"}',
  '\uFEFF{}',
  '\uFFFD',
  '<xml/>',
  'a=b&c=d',
  '--boundary\r\nContent-Disposition: form-data',
  `${'['.repeat(40)}${']'.repeat(40)}`,
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  `{"content":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  '['.repeat(20_000),
  `{"platforms":[${'{},'.repeat(5_000)}{}]}`,
  `{"mediaItems":[${'0,'.repeat(30_000)}0]}`,
  `{"${'k'.repeat(50_000)}":1e400}`,
  `{"content":"${'x'.repeat(150_000)}"}`,
  `{"platforms":[{"platformSpecificData":{"${'k'.repeat(50_000)}":"\\u0000"}}]}`,
];

/** Existing things that a request may refer to. */
export interface Known {
  readonly workspaceId: string;
  readonly accountIds: readonly string[];
  readonly postIds: readonly string[];
  readonly mediaUrls: readonly string[];
  readonly webhookIds: readonly string[];
  readonly deliveryIds: readonly string[];
  readonly automationIds: readonly string[];
  readonly platformPostIds: readonly string[];
}

/** Texts that are valid in some field, and so get past the first checks. */
function plausibleTexts({ workspaceId, accountIds, postIds, mediaUrls, platformPostIds }: Known): string[] {
  const stray = accountIds[0] ?? '';
  return [
    ...accountIds,
    ...postIds,
    ...mediaUrls,
    ...platformPostIds,
    `https://media.example.com/${objectKeyFor(workspaceId, stray, 'a.mp4')}`,
    'Hello',
    'http://127.0.0.1:9/hook',
    'https://93.184.216.34/hook',
    'webhook.test',
    'UTC',
    'Europe/Istanbul',
    'auto',
    '2020-01-01T00:00:00Z',
    new Date(Date.now() + 3_600_000).toISOString(),
    '2026-02-30T12:00',
    'image',
    'video',
    'instagram',
    'youtube',
    'tiktok',
    'image/jpeg',
    'video/mp4',
    'clip.mp4',
    'followUp',
    'crossPost',
    'draft',
    'https://example.com/back',
    '09:00',
    '21:00',
    'starts_with',
    'url',
  ];
}

/** Returns all field names in a schema, at any depth. */
function fieldNames(schema: z.ZodType): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: Record<string, unknown> };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const child of Object.values(node)) visit(child);
  };
  visit(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return [...names];
}

/** Generates request bodies with wrong types, right names, hostile and plausible values, and junk. */
export function hostileBodies(schema: z.ZodType, known: Known): fc.Arbitrary<HostileBody> {
  const names = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...fieldNames(schema)) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileNames) },
  );
  const texts = fc.constantFrom(...hostileTexts);
  const plausible = fc.constantFrom<unknown>(
    ...plausibleTexts(known),
    ['post.failed', 'webhook.test'],
    true,
    false,
    1,
    60,
    1_000,
  );
  const scalar = fc.oneof(
    { weight: 6, arbitrary: plausible },
    { weight: 2, arbitrary: texts },
    { weight: 1, arbitrary: fc.constantFrom(...hostileNumbers) },
    { weight: 1, arbitrary: fc.constantFrom(null, true, [], {}) },
  );
  const object = (value: fc.Arbitrary<unknown>) =>
    fc.dictionary(names, value, { maxKeys: 6, noNullPrototype: true });
  const inner = fc.oneof(
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: object(scalar) },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: object(inner) },
    { weight: 2, arbitrary: fc.array(object(inner), { maxLength: 3 }) },
  );
  const asText = (rawBody: string): HostileBody => ({ rawBody, isBase64Encoded: false });
  const asBytes = (bytes: Uint8Array): HostileBody => ({
    rawBody: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  });
  return fc.oneof(
    { weight: 14, arbitrary: object(value).map((body) => asText(JSON.stringify(body))) },
    { weight: 3, arbitrary: fc.constantFrom(...hostileDocuments).map(asText) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(asText) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map(asBytes) },
    {
      weight: 1,
      arbitrary: object(value).map((body) => {
        // Put a byte that is not UTF-8 into the middle of the document.
        const bytes = Buffer.from(JSON.stringify(body));
        bytes[Math.floor(bytes.length / 2)] = 0xff;
        return asBytes(bytes);
      }),
    },
  );
}

export interface HostileBody {
  readonly rawBody: string;
  readonly isBase64Encoded: boolean;
}

/** Generates query strings with known names, valid, invalid and repeated values, and bad percent-encoding. */
export function hostileQueries(schema: z.ZodType | undefined, known: Known): fc.Arbitrary<string> {
  const names = fc.constantFrom(...(schema ? fieldNames(schema) : []), ...hostileNames, 'limit');
  const values = fc.oneof(
    fc.constantFrom(...plausibleTexts(known)),
    fc.constantFrom(...hostileTexts),
    fc.constantFrom('0', '1', '50', '500', '501', '00001', '1.5', '+1', '0x10', '1e2', '99999999999'),
  );
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
  const pairs = fc
    .array(fc.tuple(names, values), { maxLength: 4 })
    .map((list) => list.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'));
  const junk = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    fc.constantFrom(
      '&&&',
      '=',
      '?',
      '%',
      '%zz',
      '%ff%fe',
      '%00=%00',
      'limit',
      'limit=',
      'limit[]=1',
      'cursor=.',
      '=&=',
    ),
  );
  return fc.oneof({ weight: 4, arbitrary: pairs }, { weight: 1, arbitrary: junk });
}

/** Generates path parameters: known ids, unknown ids, and values that are not ids. */
export function hostileIds(known: Known): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      ...known.accountIds,
      ...known.postIds,
      ...known.webhookIds,
      ...known.deliveryIds,
      ...known.automationIds,
    ),
    fc.uuid(),
    fc.constantFrom(...hostileTexts, 'instagram', 'youtube', 'pinterest'),
    fc.string({ maxLength: 40 }),
  );
}

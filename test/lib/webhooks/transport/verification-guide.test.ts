import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { signatureHeader } from '../../../../lib/webhooks/transport/signature.ts';
import { missingProgram } from '../../../support/missing-programs.ts';
import { type SignatureRow, signatureRows } from './signature-rows.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8');

function snippet(language: string): string {
  const [, section = ''] = /^## Verify a webhook\n(.*)/ms.exec(guide) ?? [];
  const [, code] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has no verification code in ${language}`);
  return code;
}

type Verify = (rawBody: unknown, header: unknown, secret: unknown) => unknown;

/** Runs the guide's function for each row: with the body as bytes, and as text. */
const pythonProgram = `${snippet('python')}
import json, sys
answers = []
for row in json.load(sys.stdin):
    time.time = lambda: row["now"]
    bodies = [row["body"].encode(errors="surrogatepass"), row["body"]] if isinstance(row["body"], str) else [row["body"]]
    answers.append([is_from_herald(body, row["header"], row["secret"]) for body in bodies])
print(json.dumps(answers))`;

const now = 1_800_000_000;
const genuine = '{"text":"Grüße 👋"}';
const [mine, former] = ['whsec_mine', 'whsec_former'];

/** Adds cases of our own to those of the other implementation: fresh, rotated, tampered with and old. */
function ownRows(): SignatureRow[] {
  const header = signatureHeader(genuine, now, [mine, former]);
  const rows = [
    { name: 'fresh', header: signatureHeader(genuine, now, [mine]), valid: true },
    { name: 'rotated, with the new secret', header, valid: true },
    { name: 'rotated, with the old secret', header, secret: former, valid: true },
    { name: 'rotated, with one that is over', header, secret: 'whsec_over', valid: false },
    { name: 'tampered with', header, body: genuine.replace('👋', '👎'), valid: false },
    { name: 'old', header, now: now + 301, valid: false },
  ];
  return rows.map((row) => ({ body: genuine, secret: mine, now, ...row }));
}

/** Arguments as JSON can say them. */
interface Given {
  readonly name: string;
  readonly body: unknown;
  readonly header: unknown;
  readonly secret: unknown;
}

const header = signatureHeader(genuine, now, [mine]);
const parsed: unknown = JSON.parse(genuine);

/** Input that receivers get from the internet, from frameworks that have parsed the body, and from a setting that is not there. */
const wrongRows: readonly Given[] = [
  { name: 'no header', header: null },
  { name: 'an empty header', header: '' },
  { name: 'a header twice', header: [header, header] },
  { name: 'a number as header', header: 5 },
  { name: 'an object as header', header: { t: now, v1: 'x' } },
  { name: 'a header without a time', header: header.replace(/^t=\d+,/, '') },
  { name: 'a header without a signature', header: `t=${now}` },
  { name: 'an empty signature', header: `t=${now},v1=` },
  { name: 'names without values', header: 't,v1' },
  { name: 'only separators', header: ',=,==,' },
  { name: 'a time of five thousand digits', header: header.replace(String(now), '9'.repeat(5_000)) },
  { name: 'a time in other digits', header: header.replace(String(now), '١٨٠٠٠٠٠٠٠٠') },
  { name: 'a time that is no number', header: header.replace(String(now), 'NaN') },
  { name: 'a signature outside ASCII', header: `t=${now},v1=${'ü'.repeat(64)}` },
  { name: 'half of a surrogate pair', header: `t=${now},v1=\ud83d`, body: '\ud83d', secret: '\ud83d' },
  { name: 'no body', body: null },
  { name: 'a parsed body', body: parsed },
  { name: 'a list as body', body: [genuine] },
  { name: 'a number as body', body: 5 },
  { name: 'an empty body', body: '' },
  { name: 'another text as body', body: 'hello' },
  { name: 'no secret', secret: null },
  { name: 'an empty secret', header: signatureHeader(genuine, now, ['']), secret: '' },
  { name: 'a list of secrets', secret: [mine] },
  { name: 'nothing at all', body: null, header: null, secret: null },
].map((row) => ({ body: genuine, header, secret: mine, ...row }));

const sampling = { seed: 1, numRuns: 300 };
/** Anything but all three genuine values together. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(genuine, header, mine),
);
const anyHeader = fc.oneof(
  anything,
  fc
    .array(fc.tuple(fc.constantFrom('t', 'v1', ' t', ''), fc.oneof(fc.string(), fc.constant(String(now)))))
    .map((parts) => parts.map((part) => part.join('=')).join(',')),
);

const told = (rows: readonly { readonly name: string }[], answers: readonly unknown[]) =>
  rows.map(({ name }, index) => [name, answers[index]]);

describe('the verification code of the webhook guide, in JavaScript', () => {
  let isFromHerald: Verify;
  beforeAll(async () => {
    ({ isFromHerald } = await import(`data:text/javascript,${encodeURIComponent(snippet('js'))}`));
  });

  /** @param seconds the receiver's clock */
  function at<Value>(seconds: number, ask: () => Value): Value {
    const { now: real } = Date;
    Date.now = () => seconds * 1_000;
    try {
      return ask();
    } finally {
      Date.now = real;
    }
  }

  it.each([...signatureRows, ...ownRows()])('accepts only genuine webhooks: $name', (row) => {
    for (const body of [Buffer.from(row.body), new Uint8Array(Buffer.from(row.body)), row.body])
      expect(at(row.now, () => isFromHerald(body, row.header, row.secret))).toBe(row.valid);
  });

  it.each(wrongRows)('returns false for $name', ({ body, header: given, secret }) => {
    for (const missing of [null, undefined])
      expect(at(now, () => isFromHerald(body ?? missing, given ?? missing, secret ?? missing))).toBe(false);
  });

  it('returns false whatever it is given', () => {
    const values = fc.oneof(fc.anything({ withBigInt: true, withTypedArray: true }), anything);
    fc.assert(
      fc.property(
        values,
        fc.oneof(values, anyHeader),
        values,
        (...given) => at(now, () => isFromHerald(...given)) === false,
      ),
      sampling,
    );
  });
});

describe('the verification code of the webhook guide, in Python', () => {
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  const answersTo = (rows: readonly object[]): boolean[][] =>
    JSON.parse(
      execFileSync('python3', ['-c', pythonProgram], { input: JSON.stringify(rows), encoding: 'utf8' }),
    );
  const both = (answers: readonly boolean[], valid: boolean) => answers.map(() => valid);

  it('accepts only genuine webhooks, and returns false for anything else', ({ skip }) => {
    skip(!hasPython, missingProgram('python3 is not on this machine'));
    const rows = [
      ...signatureRows,
      ...ownRows(),
      ...wrongRows.map((row) => ({ ...row, now, valid: false })),
      ...fc
        .sample(fc.record({ body: anything, header: anyHeader, secret: anything }), sampling)
        .map((given) => ({ ...given, name: JSON.stringify(given), now, valid: false })),
    ];
    const answers = answersTo(rows);
    expect(told(rows, answers)).toEqual(
      told(
        rows,
        rows.map(({ valid }, index) => both(answers[index] ?? [], valid)),
      ),
    );
    expect(answers.every(({ length }) => length > 0)).toBe(true);
  });
});

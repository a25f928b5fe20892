import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

const nodeProgram = `${snippet('js')}
import { readFileSync } from 'node:fs';
const rows = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(rows.map(({ body, header, secret, now }) => {
  Date.now = () => now * 1000;
  return isFromHerald(Buffer.from(body), header, secret);
})));`;

const pythonProgram = `${snippet('python')}
import json, sys
answers = []
for row in json.load(sys.stdin):
    time.time = lambda: row["now"]
    answers.append(is_from_herald(row["body"].encode(), row["header"], row["secret"]))
print(json.dumps(answers))`;

/** Adds cases of our own to those of the other implementation: fresh, rotated, tampered with and old. */
function ownRows(): SignatureRow[] {
  const now = 1_800_000_000;
  const body = '{"text":"Grüße 👋"}';
  const [mine, former] = ['whsec_mine', 'whsec_former'];
  const header = signatureHeader(body, now, [mine, former]);
  const rows = [
    { name: 'fresh', header: signatureHeader(body, now, [mine]), valid: true },
    { name: 'rotated, with the new secret', header, valid: true },
    { name: 'rotated, with the old secret', header, secret: former, valid: true },
    { name: 'rotated, with one that is over', header, secret: 'whsec_over', valid: false },
    { name: 'tampered with', header, body: body.replace('👋', '👎'), valid: false },
    { name: 'old', header, now: now + 301, valid: false },
  ];
  return rows.map((row) => ({ body, secret: mine, now, ...row }));
}

function verify(command: string, args: readonly string[]): void {
  const rows = [...signatureRows, ...ownRows()];
  const { stdout, stderr } = spawnSync(command, args, { input: JSON.stringify(rows), encoding: 'utf8' });
  expect(stderr).toBe('');
  const answers: boolean[] = JSON.parse(stdout);
  const told = rows.map(({ name }, index) => [name, answers[index]]);
  expect(told).toEqual(rows.map(({ name, valid }) => [name, valid]));
}

describe('the verification code of the webhook guide', () => {
  it('accepts only genuine webhooks, in JavaScript', () => {
    verify(process.execPath, ['--input-type=module', '-e', nodeProgram]);
  });

  it('accepts only genuine webhooks, in Python', ({ skip }) => {
    skip(spawnSync('python3', ['--version']).status !== 0, missingProgram('python3 is not on this machine'));
    verify('python3', ['-c', pythonProgram]);
  });
});

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Output, outputTo } from '../../../bin/admin/output.ts';

function printed(print: (out: Output) => void, isJson = false) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  print(outputTo(stdout, stderr, isJson));
  return { stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

describe('a command prints', () => {
  const rows = [
    { name: 'local run', createdAt: '2026-01-01', permissions: ['read', 'publish'] },
    { name: 'x', createdAt: '', revokedAt: undefined },
  ];

  it('a list as a table, whose columns cannot be confused', () => {
    expect(printed((out) => out.list(rows)).stdout.split('\n')).toEqual([
      'NAME       CREATED AT  PERMISSIONS   REVOKED AT',
      'local run  2026-01-01  read,publish  -',
      'x          -           -             -',
      '',
    ]);
  });

  it('a list as an array for programs', () => {
    const { stdout } = printed((out) => out.list(rows), true);
    expect(JSON.parse(stdout)).toEqual([rows[0], { name: 'x', createdAt: '' }]);
  });

  it.each([
    [false, '', 'none\n'],
    [true, '[]\n', ''],
  ])('an empty list (JSON: %s)', (isJson, stdout, stderr) => {
    expect(printed((out) => out.list([]), isJson)).toEqual({ stdout, stderr });
  });

  it('one thing with a line for each field, or as an object', () => {
    const key = { id: '7', apiKey: 'yay_1', until: undefined };
    expect(printed((out) => out.one(key)).stdout).toBe('id       7\napi key  yay_1\n');
    expect(JSON.parse(printed((out) => out.one(key), true).stdout)).toEqual({ id: '7', apiKey: 'yay_1' });
  });

  it.each([false, true])('notes on stderr, so that they never mix with the result (JSON: %s)', (isJson) => {
    expect(printed((out) => out.note('Store the key now.'), isJson)).toEqual({
      stdout: '',
      stderr: 'Store the key now.\n',
    });
  });

  it('no control characters of customers, which could forge lines or steer the terminal', () => {
    const name = 'evil\n\u001b[2Kid=1';
    const { stdout } = printed((out) => out.list([{ name }]));
    expect(stdout).toBe('NAME\nevil��[2Kid=1\n');
    expect(printed((out) => out.line({}, name)).stdout).toBe('evil��[2Kid=1\n');
    expect(printed((out) => out.note(`a\u001bb`)).stderr).toBe('a�b\n');
  });

  it.each(['list', 'line'] as const)(
    'control characters in JSON as escapes, because programs need the text and terminals do not (%s)',
    (kind) => {
      const name = 'evil\n\u009b2K\u202e\u{e0041}';
      const { stdout } = printed(
        (out) => (kind === 'list' ? out.list([{ name }]) : out.line({ name }, '')),
        true,
      );
      expect(stdout).toContain('evil\\n\\u009b2K\\u202e\\udb40\\udc41');
      expect([JSON.parse(stdout)].flat()).toEqual([{ name }]);
    },
  );
});

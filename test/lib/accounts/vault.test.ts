import { beforeEach, describe, expect, it } from 'vitest';
import { openSealingKeys } from '../../../lib/accounts/sealing-keys.ts';
import { type SharedKeys, Vault } from '../../../lib/accounts/vault.ts';
import type { DataKeys } from '../../../lib/aws/data-keys.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { createTestTable } from '../../support/table.ts';

let nowMs: number;
let keys: DataKeys;
let shared: SharedKeys;
let calls: string[];

/** The vault of a new process. */
const process = (isShared = true, using: DataKeys = keys) =>
  new Vault(counted(using), () => nowMs, isShared ? shared : undefined);

function counted({ generate, open }: DataKeys): DataKeys {
  return {
    generate(context) {
      calls.push('generate');
      return generate(context);
    },
    open(sealed, context) {
      calls.push('open');
      return open(sealed, context);
    },
  };
}

beforeEach(async () => {
  nowMs = startMs;
  keys = memoryDataKeys();
  calls = [];
  shared = openSealingKeys(await createTestTable(), () => nowMs);
});

const contextOf = (account: string, workspace = 'w1') => ({ workspace, account, purpose: 'tokens' });
const envelopeOf = (sealed: string): Record<string, unknown> => JSON.parse(sealed);

describe('a sealed text', () => {
  it.each([
    ['with a key of its own', false],
    ['with a shared key', true],
  ])('%s opens in its context, in any process, and in no other context', async (_how, isShared) => {
    const sealed = await process(isShared).seal('secret', contextOf('a1'));
    for (const opens of [true, false])
      expect(await process(opens).open(sealed, contextOf('a1'))).toBe('secret');
    const others = [
      contextOf('a2'),
      contextOf('a1', 'w2'),
      { ...contextOf('a1'), purpose: 'signing' },
      { purpose: 'tokens', workspace: 'all' },
    ];
    for (const other of others) await expect(process().open(sealed, other)).rejects.toThrow();
  });

  it.each([
    ['a key of its own for a shared one', false],
    ['a shared key for its own', true],
  ])('does not open if somebody passes %s', async (_what, isShared) => {
    const { shared: _mark, ...envelope } = envelopeOf(
      await process(isShared).seal('secret', contextOf('a1')),
    );
    const changed = JSON.stringify(isShared ? envelope : { ...envelope, shared: true });
    await expect(process().open(changed, contextOf('a1'))).rejects.toThrow();
  });

  it('does not open with a part of its tag', async () => {
    const envelope = envelopeOf(await process().seal('secret', contextOf('a1')));
    const tag = Buffer.from(String(envelope['tag']), 'base64').subarray(0, 4).toString('base64');
    await expect(process().open(JSON.stringify({ ...envelope, tag }), contextOf('a1'))).rejects.toThrow();
  });

  it('does not open if its text was moved into the envelope of another account', async () => {
    const vault = process();
    const [one, other] = [contextOf('a1'), contextOf('a2')];
    const moved = {
      ...envelopeOf(await vault.seal('secret', other)),
      key: envelopeOf(await vault.seal('x', one))['key'],
    };
    await expect(vault.open(JSON.stringify(moved), one)).rejects.toThrow();
  });
});

describe('a shared key', () => {
  it('seals all tokens of a month, whichever process is first, and is opened once an hour by each process', async () => {
    const [one, other] = [process(), process()];
    const sealed = await Promise.all(
      ['a1', 'a2', 'a3', 'a4'].map((account, index) =>
        (index % 2 ? one : other).seal(account, contextOf(account)),
      ),
    );
    nowMs += 29 * dayMs - (nowMs % (30 * dayMs));
    sealed.push(await process().seal('a5', contextOf('a5')));
    expect(new Set(sealed.map((text) => envelopeOf(text)['key'])).size).toBe(1);
    calls = [];
    const reader = process();
    const readAll = async () => {
      for (const [index, text] of sealed.entries())
        expect(await reader.open(text, contextOf(`a${index + 1}`))).toBe(`a${index + 1}`);
    };
    await readAll();
    nowMs += 59 * minuteMs;
    await readAll();
    expect(calls).toEqual(['open']);
    nowMs += minuteMs;
    await readAll();
    expect(calls).toEqual(['open', 'open']);
  });

  it('is another one in the next period, while the former one still opens what it has sealed', async () => {
    const vault = process();
    const before = await vault.seal('before', contextOf('a1'));
    nowMs += 30 * dayMs;
    const after = await vault.seal('after', contextOf('a1'));
    expect(envelopeOf(after)['key']).not.toBe(envelopeOf(before)['key']);
    nowMs += 400 * dayMs;
    expect(await process().open(before, contextOf('a1'))).toBe('before');
  });

  it('is opened once for texts that are opened at the same time, and again after a failure', async () => {
    const sealed = await process().seal('secret', contextOf('a1'));
    let isOut = true;
    const reader = process(true, {
      ...keys,
      open: (...asked) => (isOut ? Promise.reject(new Error('an outage')) : keys.open(...asked)),
    });
    const readMany = () =>
      Promise.allSettled(Array.from({ length: 20 }, () => reader.open(sealed, contextOf('a1'))));
    calls = [];
    expect((await readMany()).every(({ status }) => status === 'rejected')).toBe(true);
    isOut = false;
    const read = await readMany();
    expect(read).toEqual(Array.from({ length: 20 }, () => ({ status: 'fulfilled', value: 'secret' })));
    expect(calls).toEqual(['open', 'open']);
  });

  it('seals without the key service for an hour', async () => {
    const vault = process();
    await vault.seal('first', contextOf('a1'));
    calls = [];
    nowMs += hourMs - minuteMs;
    await vault.seal('second', contextOf('a2'));
    expect(calls).toEqual([]);
  });

  it('is not used for other purposes, because some functions may seal and not open', async () => {
    const context = { workspace: 'w1', webhook: 'h1', purpose: 'signing' };
    const sealed = await process().seal('secret', context);
    expect(envelopeOf(sealed)).not.toHaveProperty('shared');
    expect(calls).toEqual(['generate']);
    expect(await process().open(sealed, context)).toBe('secret');
  });

  it.each([
    ['the table does not answer', () => ({ find: refusing, add: refusing })],
    [
      'the stored key was sealed under another key',
      () => ({ find: async () => Buffer.from('unknown').toString('base64'), add: refusing }),
    ],
  ])('is done without if %s', async (_what, sharedKeys) => {
    const vault = new Vault(keys, () => nowMs, sharedKeys());
    const sealed = await vault.seal('secret', contextOf('a1'));
    expect(envelopeOf(sealed)).not.toHaveProperty('shared');
    expect(await process().open(sealed, contextOf('a1'))).toBe('secret');
  });
});

const refusing = async (): Promise<never> => {
  throw new Error('no answer');
};

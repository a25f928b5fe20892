import { describe, expect, it } from 'vitest';
import { removalLineOf } from '../../../lib/publishing/removal-line.ts';
import type { Removal } from '../../../lib/targets/removal.ts';
import { aTarget } from '../../support/builders.ts';

const withRemoval = (removal?: Removal) =>
  aTarget({ status: 'published', platform: 'threads', ...(removal && { removal }) });
const asked: Removal = { state: 'requested', by: 'service', requestedAt: '2030-01-01T10:00:00.000Z' };
const refused: Removal = {
  ...asked,
  state: 'failed',
  error: 'why',
  errorDetail: { code: 'permission_missing' },
};

describe('the log line about a change of a removal', () => {
  it.each<[string, Removal | undefined, Removal | undefined, object | undefined]>([
    ['says that it is asked for', undefined, asked, { level: 'info', details: { removal: 'requested' } }],
    [
      'says that it failed, and why',
      asked,
      refused,
      { level: 'warn', details: { removal: 'failed', code: 'permission_missing', reason: 'why' } },
    ],
    [
      'says that it is asked for again',
      refused,
      { ...asked, requestedAt: '2030-01-01T11:00:00.000Z' },
      { level: 'info', details: { removal: 'requested' } },
    ],
    [
      'says that it is done',
      asked,
      { ...asked, state: 'removed' },
      { level: 'info', details: { removal: 'removed', platform: 'threads' } },
    ],
    [
      'says that somebody has deleted it at the platform',
      undefined,
      { state: 'removed', by: 'person' },
      { level: 'info', details: { removal: 'noticed' } },
    ],
    ['is absent while a worker is at it', asked, { ...asked, intended: ['1'], error: 'busy' }, undefined],
    ['is absent for other changes', asked, asked, undefined],
    ['is absent without a removal', undefined, undefined, undefined],
  ])('%s', (_what, before, after, line) => {
    const found = removalLineOf(withRemoval(before), withRemoval(after));
    if (line === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(line);
  });

  it('is absent for a target that is stored, or deleted, with one', () => {
    expect(removalLineOf(undefined, withRemoval(asked))).toBeUndefined();
    expect(removalLineOf(withRemoval(asked), undefined)).toBeUndefined();
  });
});

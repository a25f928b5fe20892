import { describe, expect, it } from 'vitest';
import { act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import type { Draft } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { localProblems } from '../../../../lib/panel/pages/compose/draft/places.ts';
import { changesOf, toRequest } from '../../../../lib/panel/pages/compose/draft/to-request.ts';
import { draftFor } from '../support/drafts.ts';

const empty = draftFor();
const all: Partial<Draft> = {
  onQuota: 'fail',
  externalId: 'order-7',
  isExternalIdUnique: true,
  metadata: [{ name: 'campaign', value: 'spring' }],
};

describe('what is for programs', () => {
  it('is sent if it is set, without rows that nobody has filled in', () => {
    const metadata = [
      { name: '', value: '' },
      { name: 'campaign', value: 'spring' },
    ];
    expect(toRequest({ ...empty, ...all, metadata }, 'keep')).toMatchObject({
      onQuota: 'fail',
      externalId: 'order-7',
      externalIdUnique: true,
      metadata: { campaign: 'spring' },
    });
    const { externalIdUnique, ...request } = toRequest({ ...empty, isExternalIdUnique: true }, 'keep');
    expect(externalIdUnique).toBeUndefined();
    expect(Object.keys(request)).not.toEqual(expect.arrayContaining(['onQuota', 'externalId', 'metadata']));
  });

  it.each([
    [
      'set',
      empty,
      { ...empty, ...all },
      { onQuota: 'fail', externalId: 'order-7', externalIdUnique: true, metadata: { campaign: 'spring' } },
    ],
    [
      'taken away',
      { ...empty, ...all },
      empty,
      { onQuota: 'wait', externalId: null, externalIdUnique: false, metadata: null },
    ],
    [
      'changed in part',
      { ...empty, ...all },
      { ...empty, ...all, externalId: 'order-8' },
      { externalId: 'order-8' },
    ],
  ] as const)('is %s by a change of a stored post', (_what, before, after, request) => {
    expect(changesOf({ draft: before as Draft, isDraft: true }, after as Draft, 'keep')).toEqual(request);
  });

  it('is taken away by what is undefined', () => {
    const set = act(empty, { do: 'forPrograms', changes: { onQuota: 'fail', externalId: 'order-7' } });
    expect(act(set, { do: 'forPrograms', changes: { onQuota: undefined, externalId: undefined } })).toEqual(
      empty,
    );
  });

  it.each([
    ['a pair without a name', [{ name: '', value: 'x' }], 'Each pair needs a name.'],
    [
      'two pairs of one name',
      [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
      'Two pairs have the name a.',
    ],
  ])('has a problem: %s', (_what, metadata, message) => {
    const problems = localProblems({ ...empty, metadata }, { isNew: true, now: 0 });
    expect(problems.filter(({ place }) => place.key === 'metadata').map((each) => each.message)).toEqual([
      message,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import { type Draft, isWorthKeeping } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { rebase } from '../../../../lib/panel/pages/compose/draft/rebase.ts';
import { toRequest } from '../../../../lib/panel/pages/compose/draft/to-request.ts';
import { instagram } from '../../support/accounts.ts';
import { draftFor, image } from '../support/drafts.ts';

const empty = draftFor();

describe('what a person does', () => {
  it('brings back what was typed for an account that is taken out', () => {
    const written = act(draftFor(instagram), {
      do: 'override',
      accountId: instagram.id,
      changes: { content: 'Own' },
    });
    const out = act(written, { do: 'toggle', account: instagram });
    expect(out.destinations).toEqual([]);
    expect(isWorthKeeping(out)).toBe(true);
    expect(act(out, { do: 'toggle', account: instagram }).destinations).toEqual(written.destinations);
  });

  it('begins with the default options of the account', () => {
    const defaultOptions = { shareToFeed: false };
    const { destinations } = act(empty, { do: 'toggle', account: { ...instagram, defaultOptions } });
    expect(destinations).toMatchObject([{ accountId: instagram.id, options: defaultOptions }]);
  });

  it('inherits again', () => {
    const written = act(draftFor(instagram), {
      do: 'override',
      accountId: instagram.id,
      changes: { content: '' },
    });
    expect(toRequest(written, 'keep').platforms?.[0]).toHaveProperty('customContent', '');
    const back = act(written, { do: 'override', accountId: instagram.id, changes: { content: undefined } });
    expect(back).toEqual(draftFor(instagram));
  });

  it('moves steps within the chain', () => {
    const [one, two] = ['one', 'two'];
    let draft = act(empty, { do: 'addStep', key: 'one', kind: 'followUp' });
    draft = act(draft, { do: 'addStep', key: 'two', kind: 'crossPost' });
    const order = (each: Draft) => each.chain.map(({ key }) => key);
    expect(order(act(draft, { do: 'moveStep', key: 'two', by: -1 }))).toEqual([two, one]);
    expect(order(act(draft, { do: 'moveStep', key: 'two', by: 1 }))).toEqual([one, two]);
  });
});

describe('changes by two people', () => {
  it('come together, and what both have changed is named', () => {
    const mine = { ...empty, content: 'mine', firstComment: 'mine' };
    const theirs = { ...empty, content: 'theirs', media: [image] };
    expect(rebase(empty, mine, theirs)).toEqual({
      draft: { ...empty, content: 'mine', firstComment: 'mine', media: [image] },
      conflicts: ['content'],
    });
  });
});

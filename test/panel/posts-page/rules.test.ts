import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ApiError } from '../../../lib/panel/api/api-error.ts';
import { toCsv } from '../../../lib/panel/pages/posts/export.ts';
import { filterNames, filtersIn, queryOf } from '../../../lib/panel/pages/posts/list.ts';
import { piecesAround } from '../../../lib/panel/pages/posts/matches.ts';
import { changeTo, hindranceOf, runEach, shifted, timesOf } from '../../../lib/panel/posts/bulk.ts';
import { instagram, tiktok } from '../support/accounts.ts';
import { inBerlin, planned } from '../support/calendar-page.ts';
import { failedTargetOf } from '../support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../support/posts.ts';

const zone = 'Europe/Berlin';
const now = Date.parse('2026-11-18T10:10:00.000Z');
const inState = (status: 'draft' | 'scheduled' | 'publishing' | 'published' | 'partial' | 'failed') =>
  planned(1, '2026-11-20', '09:00', { status, platforms: [targetOf(instagram, { status })] });

describe('an action leaves out', () => {
  test.each([
    ['move', inState('scheduled'), undefined],
    ['move', inState('draft'), undefined],
    ['move', inState('published'), 'published'],
    ['move', inState('publishing'), 'publishing'],
    ['move', inState('failed'), 'failed'],
    ['move', listedPostOf(1, { status: 'draft' }), 'untimed'],
    ['remove', inState('scheduled'), undefined],
    ['remove', inState('failed'), undefined],
    ['remove', inState('published'), 'live'],
    ['remove', inState('partial'), 'live'],
    ['retry', inState('scheduled'), 'notFailed'],
    [
      'retry',
      planned(1, '2026-11-16', '09:00', { platforms: [failedTargetOf(instagram, 'retryable')] }),
      undefined,
    ],
    [
      'retry',
      planned(1, '2026-11-16', '09:00', { platforms: [failedTargetOf(instagram, 'unknown')] }),
      'unknown',
    ],
    ['tag', inState('published'), undefined],
  ] as const)('%s: %#', (action, post, hindrance) => {
    expect(hindranceOf(action, post)).toBe(hindrance);
  });
});

describe('a move', () => {
  const own = planned(2, '2026-11-20', '09:00', {
    platforms: [
      targetOf(instagram, { scheduledFor: inBerlin('2026-11-20', '09:00') }),
      targetOf(tiktok, { scheduledFor: inBerlin('2026-11-21', '18:00') }),
    ],
  });

  it('keeps the times of day of all destinations', () => {
    const times = shifted(own, { days: 7 }, zone, now);
    expect(times).toEqual({
      at: inBerlin('2026-11-27', '09:00'),
      others: new Map([[tiktok.id, inBerlin('2026-11-28', '18:00')]]),
    });
  });

  it('to a day keeps the distance between destinations', () => {
    expect(shifted(own, { day: '2026-12-01' }, zone, now)).toEqual({
      at: inBerlin('2026-12-01', '09:00'),
      others: new Map([[tiktok.id, inBerlin('2026-12-02', '18:00')]]),
    });
  });

  it('keeps the time of day over a change of the clocks', () => {
    const post = planned(1, '2027-03-27', '09:00');
    expect(shifted(post, { days: 1 }, zone, now)).toMatchObject({ at: '2027-03-28T07:00:00.000Z' });
  });

  it('goes neither into the past nor nowhere', () => {
    expect(shifted(own, { days: -3 }, zone, now)).toBe('past');
    expect(shifted(own, { day: '2026-11-20' }, zone, now)).toBe('same');
    expect(shifted(listedPostOf(1), { days: 1 }, zone, now)).toBe('same');
  });

  it('is one request, that gives each destination its own time', () => {
    const times = shifted(own, { days: 1 }, zone, now);
    if (typeof times === 'string') throw new Error(times);
    expect(changeTo(times, own, postOf(own))).toMatchObject({
      scheduledFor: inBerlin('2026-11-21', '09:00'),
      platforms: [
        { accountId: instagram.id, scheduledFor: undefined },
        { accountId: tiktok.id, scheduledFor: inBerlin('2026-11-22', '18:00') },
      ],
    });
  });

  it('there and back changes nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (days) => {
        const there = shifted(own, { days }, zone, now);
        if (typeof there === 'string') throw new Error(there);
        const after = listedPostOf(2, {
          ...own,
          scheduledFor: there.at,
          platforms: own.platforms.map((target) => ({
            ...target,
            scheduledFor: there.others.get(target.accountId) ?? there.at,
          })),
        });
        expect(shifted(after, { days: -days }, zone, now)).toEqual(timesOf(own));
      }),
    );
  });

  it('leaves a draft a draft', () => {
    const draft = inState('draft');
    const times = shifted(draft, { days: 1 }, zone, now);
    if (typeof times === 'string') throw new Error(times);
    expect(changeTo(times, draft)).toEqual({ scheduledFor: inBerlin('2026-11-21', '09:00'), isDraft: true });
  });
});

describe('a job', () => {
  const posts = Array.from({ length: 7 }, (_, number) => listedPostOf(number));
  const error = (status: number, retryAfterMs?: number) =>
    new ApiError('refused', { status, code: status === 401 ? 'session_missing' : 'conflict', retryAfterMs });
  const options = () => {
    const controller = new AbortController();
    const waits: number[] = [];
    const progress: number[] = [];
    return {
      controller,
      waits,
      progress,
      signal: controller.signal,
      onProgress: (done: number) => void progress.push(done),
      wait: async (ms: number) => void waits.push(ms),
    };
  };

  it('goes on after a refusal, and says which posts were refused', async () => {
    const { progress, ...given } = options();
    const { worked, refused, left } = await runEach(
      posts,
      async ({ id }) => {
        if (id === posts[2]?.id) throw error(409);
        return id;
      },
      given,
    );
    expect([worked.length, refused.map(({ post }) => post), left]).toEqual([6, [posts[2]], []]);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('does a few at once', async () => {
    let running = 0;
    let most = 0;
    await runEach(
      posts,
      async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      },
      options(),
    );
    expect(most).toBe(3);
  });

  it('stops when it is told to, and keeps what is left', async () => {
    const given = options();
    const { worked, left } = await runEach(posts, async () => given.controller.abort(), given);
    expect(worked.length + left.length).toBe(7);
    expect(left.length).toBeGreaterThanOrEqual(4);
  });

  it('stops once the person is signed out', async () => {
    const { refused, left } = await runEach(
      posts,
      async () => {
        throw error(401);
      },
      options(),
    );
    expect(refused.length).toBeLessThanOrEqual(3);
    expect(refused.length + left.length).toBe(7);
  });

  it('waits as long as a busy service says, and not for ever', async () => {
    const given = options();
    let calls = 0;
    const { worked, refused } = await runEach(
      posts.slice(0, 1),
      async () => {
        calls += 1;
        if (calls === 1) throw error(429, 2_000);
      },
      given,
    );
    expect([worked.length, refused.length, given.waits]).toEqual([1, 0, [2_000]]);
    const endless = options();
    const end = await runEach(
      posts.slice(0, 1),
      async () => {
        throw error(429, 2_000);
      },
      endless,
    );
    expect([end.refused.length, endless.waits.length]).toEqual([1, 3]);
  });
});

describe('a search is marked', () => {
  const marked = (text: string, search: string, most?: number) =>
    piecesAround(text, search, most)
      ?.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
      .join('');

  test.each([
    ['Fresh from the harbour', 'harb', 'Fresh from the [harb]our'],
    ['Fresh from the harbour', 'HARBOUR fresh', '[Fresh] from the [harbour]'],
    ['Café crème', 'cafe', '[Café] crème'],
    ['Straße', 'STRASSE', undefined],
    ['冬の焙煎', '焙煎', '冬の[焙煎]'],
    ['unharbour', 'harbour', undefined],
    ['anything', '', undefined],
    ['anything', '…', undefined],
  ])('%s: %s', (text, search, expected) => {
    expect(marked(text, search)).toBe(expected);
  });

  it('with the words around a match that is far from the beginning', () => {
    const text = `${'one two three '.repeat(30)}harbour ${'four five '.repeat(30)}`;
    const shown = marked(text, 'harbour', 60) ?? '';
    expect(shown).toContain('[harbour]');
    expect(shown.startsWith('…')).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
    expect(shown.length).toBeLessThan(80);
  });

  it('and what is shown is a part of the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 8 }),
        (text, search) => {
          const plain = text.replace(/\s+/g, ' ').trim();
          const pieces = piecesAround(text, search, 40) ?? [];
          const inner = pieces.filter(
            ({ text: piece }, at) => piece !== '…' || (at > 0 && at < pieces.length - 1),
          );
          expect(plain).toContain(inner.map(({ text: piece }) => piece).join(''));
        },
      ),
    );
  });
});

describe('the filters', () => {
  const none = Object.fromEntries(filterNames.map((name) => [name, ''])) as Record<
    (typeof filterNames)[number],
    string
  >;
  const queried = (values: Partial<typeof none>) =>
    queryOf(filtersIn({ ...none, ...values }, '2026-11-18'), zone);

  test.each([
    ['nothing', {}, {}],
    ['words', { q: ' harbour  ' }, { search: 'harbour' }],
    ['several states in the order of the service', { status: 'failed,draft' }, { status: 'draft,failed' }],
    ['made up values', { status: 'bad', platform: 'x', account: 'y', period: 'z' }, {}],
    ['accounts', { account: `${instagram.id},${tiktok.id}` }, { accountId: `${instagram.id},${tiktok.id}` }],
    ['tags', { tag: 'Menu,Roast' }, { tags: 'Menu,Roast' }],
    [
      'a period on the clocks of the zone',
      { period: 'next7' },
      { from: '2026-11-17T23:00:00.000Z', to: '2026-11-24T23:00:00.000Z', sort: 'scheduledFor' },
    ],
    [
      'days of a person',
      { period: 'custom', from: '2026-10-24', to: '2026-10-25' },
      { from: '2026-10-23T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z', sort: 'scheduledFor' },
    ],
    ['the order', { sort: 'scheduledFor' }, { sort: 'scheduledFor' }],
  ])('%s', (_, values, query) => {
    expect(queried(values)).toEqual(query);
  });

  it('refuse a period that is too long or backwards', () => {
    const problem = (from: string, to: string) =>
      filtersIn({ ...none, period: 'custom', from, to }, '2026-11-18').range?.problem;
    expect(problem('2026-11-18', '2026-11-17')).toBe('backwards');
    expect(problem('2026-11-01', '2027-01-01')).toBeUndefined();
    expect(problem('2026-11-01', '2027-01-02')).toBe('tooLong');
  });
});

describe('a table for spreadsheets', () => {
  const cellsOf = (content: string) =>
    toCsv(
      [listedPostOf(1, { content, platforms: [targetOf(instagram)] })],
      new Map([[instagram.id, instagram]]),
    );

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1'])('runs no formula: %j', (text) => {
    expect(cellsOf(text)).toMatch(new RegExp(`,"?'${text.replace(/[+().\\]/g, '\\$&').replace('*', '\\*')}`));
  });

  it('quotes what has commas, quotes and lines', () => {
    expect(cellsOf('a "b", c\nd')).toContain(',"a ""b"", c\nd",');
  });

  it('has one line of headings, and names accounts', () => {
    const [head, line] = cellsOf('Fresh beans').split('\r\n');
    expect(head).toBe('id,text,state,planned,accounts,platforms,links,tags,created,changed');
    expect(line).toContain('Fresh beans,Scheduled,,');
    expect(line).toContain(',Instagram,');
  });
});

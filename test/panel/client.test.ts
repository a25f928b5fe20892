import { describe, expect, expectTypeOf, it } from 'vitest';
import type { listAccountsOperation } from '../../lib/accounts/operations.ts';
import type { AccountView } from '../../lib/accounts/schemas.ts';
import { ApiError, readError } from '../../lib/panel/api/api-error.ts';
import type { ReplyOf, RequestOf } from '../../lib/panel/api/operation-types.ts';
import { waitBeforeRetry } from '../../lib/panel/api/retry.ts';
import { formatDay, formatRelative, formatTime, isSameTime, zoneName } from '../../lib/panel/time.ts';
import type {
  createKeyOperation,
  listKeysOperation,
  revokeKeyOperation,
} from '../../lib/people/operations.ts';
import type { IssuedKeyView, KeyView } from '../../lib/people/views.ts';

describe('a failed request', () => {
  const failure = (status: number, retryAfterMs?: number) =>
    new ApiError('no', { status, code: status === 0 ? 'unreachable' : 'unavailable', retryAfterMs });
  it.each([
    ['is sent again after a lost response, if that is safe', failure(0), 1, true, 225],
    ['waits longer after each attempt', failure(503), 3, true, 900],
    ['waits as long as the service says', failure(503, 2_000), 1, true, 2_000],
    ['is not sent again if the service wants a long rest', failure(503, 60_000), 1, true, undefined],
    ['is sent again after too many requests, if the service says when', failure(429, 1_000), 1, true, 1_125],
    ['is not sent again after too many requests without a time', failure(429), 1, true, undefined],
    ['is not sent again if its effect could happen twice', failure(503), 1, false, undefined],
    ['is not sent again if it is wrong', failure(400), 1, true, undefined],
    ['is not sent again after an error within the service', failure(500), 1, true, undefined],
    ['is given up after four attempts', failure(503), 4, true, undefined],
  ])('%s', (_what, error, attempt, isSafe, waitMs) => {
    expect(waitBeforeRetry(error, attempt, isSafe, 0.5)).toBe(waitMs);
  });

  const headers = { 'x-request-id': 'id-1', 'retry-after': '3' };
  it('has the code, the wrong fields and the request id of the response', async () => {
    const body = {
      error: 'name: must not be empty',
      code: 'field_too_short',
      param: 'name',
      docUrl: 'https://x.test',
    };
    expect(await readError(new Response(JSON.stringify(body), { status: 400, headers }))).toMatchObject({
      status: 400,
      code: 'field_too_short',
      message: 'name: must not be empty',
      problems: [{ param: 'name', code: 'field_too_short', message: 'must not be empty' }],
      requestId: 'id-1',
      retryAfterMs: 3_000,
    });
  });

  it.each([
    ['the page of a proxy', '<html>', 502],
    ['a body of another service', '{"message":"Forbidden"}', 403],
    ['an empty body', '', 504],
  ])('is called malformed if it has %s', async (_what, body, status) => {
    expect(await readError(new Response(body, { status }))).toMatchObject({
      status,
      code: 'malformed',
      problems: [],
    });
  });
});

describe('a time', () => {
  const winter = new Date('2026-01-15T23:30:00Z');
  const summer = new Date('2026-07-15T23:30:00Z');
  it.each([
    ['in winter', winter, 'Europe/Berlin', '16 Jan 2026, 00:30 CET'],
    ['in summer', summer, 'Europe/Berlin', '16 Jul 2026, 01:30 CEST'],
    ['in a zone without letters', winter, 'Asia/Tokyo', '16 Jan 2026, 08:30 GMT+9'],
  ])('is written on the clocks of its zone, %s', (_what, at, zone, text) => {
    expect(`${formatTime(at, zone, 'full')} ${zoneName(at, zone)}`).toBe(text);
  });

  it('is the same in zones whose clocks agree then', () => {
    expect(isSameTime(winter, 'Europe/Berlin', 'Europe/Paris')).toBe(true);
    expect(isSameTime(winter, 'Europe/London', 'UTC')).toBe(true);
    expect(isSameTime(summer, 'Europe/London', 'UTC')).toBe(false);
  });

  it.each([
    [-20_000, 'just now'],
    [-5 * 60_000, '5 minutes ago'],
    [90 * 60_000, 'in 1 hour'],
    [-26 * 3_600_000, 'yesterday'],
    [3 * 86_400_000, 'in 3 days'],
  ])('%i ms from now is %s', (distance, text) => {
    expect(formatRelative(new Date(winter.getTime() + distance), winter.getTime())).toBe(text);
  });

  it('of a day is the same everywhere', () => {
    expect(formatDay('2026-03-14')).toBe('14 Mar 2026');
  });
});

it('the types of requests and replies are those of the operations', () => {
  expectTypeOf<ReplyOf<typeof listKeysOperation>>().toEqualTypeOf<{ keys: KeyView[] }>();
  expectTypeOf<ReplyOf<typeof createKeyOperation>>().toEqualTypeOf<IssuedKeyView>();
  expectTypeOf<ReplyOf<typeof revokeKeyOperation>>().toEqualTypeOf<undefined>();
  expectTypeOf<ReplyOf<typeof listAccountsOperation>['accounts']>().toEqualTypeOf<AccountView[]>();
  expectTypeOf<RequestOf<typeof revokeKeyOperation>>().toHaveProperty('path').toEqualTypeOf<{ id: string }>();
  expectTypeOf<RequestOf<typeof createKeyOperation>['body']>().toHaveProperty('name').toEqualTypeOf<string>();
  expectTypeOf<(typeof listKeysOperation)['method']>().toEqualTypeOf<'GET'>();
  expectTypeOf<(typeof listKeysOperation)['path']>().toEqualTypeOf<'/panel/keys'>();
});

import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { putRiskCheck } from '../../../lib/overdue/risk-checks.ts';
import { newPause, putPauseParts } from '../../../lib/pauses/manage.ts';
import { scopeText } from '../../../lib/pauses/scope.ts';
import type { AccountKind, Platform } from '../../../lib/platforms/contract/names.ts';
import { accountKey, mediaKey } from '../../../lib/table/keys.ts';
import { transact } from '../../../lib/table/transaction.ts';
import type { OutcomeCode } from '../../../lib/targets/outcome-codes.ts';
import { login } from '../../contract/rows.ts';
import { type Connected, probe, type RiskWorld } from './world.ts';

/** Something that goes wrong hours before a post is due, and what must be said about it. */
export interface Fault {
  readonly name: string;
  /** The platforms where it can happen; absent: all. */
  readonly on?: readonly Platform[];
  readonly as?: AccountKind;
  readonly code: OutcomeCode;
  /** Lets it happen. @param dueMs the due time of the post */
  readonly seed: (world: RiskWorld, connected: Connected, dueMs: number) => Promise<unknown>;
}

const changeUser =
  (fields: Record<string, unknown>) =>
  (_world: RiskWorld, { fixture }: Connected) =>
    fixture.control('users', 'POST', { username: login, ...fields });
const noMorePosts = (_world: RiskWorld, { fixture }: Connected) =>
  fixture.control('limits', 'PUT', { posts: 0 });
const changeAccount =
  (fields: (dueMs: number) => Record<string, unknown>) =>
  (world: RiskWorld, { account }: Connected, dueMs: number) =>
    world.change(accountKey(world.workspaceId, account.id), fields(dueMs));

/** The faults that only the platform knows of. */
export const platformFaults: readonly Fault[] = [
  {
    name: 'the owner has removed the app at the platform',
    code: 'account_expired',
    seed: (_world, { fixture }) => fixture.control('revoke', 'POST', { username: login }),
  },
  {
    name: 'other apps have used up the limit',
    on: ['instagram', 'threads'],
    code: 'quota_exhausted',
    seed: noMorePosts,
  },
  {
    name: 'the creator has made the account private',
    on: ['tiktok'],
    code: 'platform_rejected',
    seed: changeUser({ isPrivate: true }),
  },
  {
    name: 'the creator is banned from posting',
    on: ['tiktok'],
    code: 'account_restricted',
    seed: changeUser({ isBanned: true }),
  },
  {
    name: 'videos must be shorter',
    on: ['tiktok'],
    code: 'platform_rejected',
    seed: changeUser({ maxVideoSeconds: 5 }),
  },
  {
    name: 'the board was deleted',
    on: ['pinterest'],
    code: 'platform_rejected',
    seed: (_world, { row, fixture }) => fixture.control(`boards/${String(row.options['boardId'])}`, 'DELETE'),
  },
  {
    name: 'the login has no channel any more',
    on: ['youtube'],
    code: 'account_restricted',
    seed: changeUser({ hasChannel: false }),
  },
  {
    name: 'the channel may not upload long videos, and this is one',
    on: ['youtube'],
    code: 'platform_rejected',
    async seed(world, connected) {
      await changeUser({ isVerified: false })(world, connected);
      const key = mediaKey(world.workspaceId, world.video.id);
      await world.change(key, { probe: { ...probe, durationMs: 1_000_000 } });
    },
  },
  {
    name: 'the person has lost the role',
    on: ['linkedin'],
    as: 'organization',
    code: 'permission_missing',
    seed: changeUser({ organizations: [{ vanityName: login, state: 'REVOKED' }] }),
  },
];

/** The faults that Herald knows of. */
export const ownFaults: readonly Fault[] = [
  {
    name: 'the account was disconnected',
    code: 'account_disconnected',
    seed: changeAccount((dueMs) => ({ disconnectedAt: toTimestamp(dueMs) })),
  },
  {
    name: 'access ends before the post is due',
    code: 'account_expired',
    seed: changeAccount((dueMs) => ({ reconnectBy: toTimestamp(dueMs - 1) })),
  },
  {
    name: 'the permission to publish was withdrawn',
    code: 'permission_missing',
    seed: changeAccount(() => ({ scopes: [] })),
  },
  {
    name: 'the account is restricted',
    code: 'account_restricted',
    seed: changeAccount(() => ({ status: 'error', statusMessage: 'Spam' })),
  },
  {
    name: 'operators have paused the account',
    code: 'paused',
    async seed({ table, workspaceId, now }, { account }) {
      const scope = { kind: 'account', workspaceId, accountId: account.id } as const;
      const pause = newPause({ now: now() }, scope, 'Something is wrong');
      await transact(table, [...putPauseParts({ table, now: now() }, pause)]);
      await putRiskCheck(table, { kind: 'pause', scope: scopeText(scope), workspaceId }, now());
    },
  },
  {
    name: 'a file has turned out to be invalid',
    code: 'media_invalid',
    async seed(world, { row }) {
      const media = row.media[0]?.endsWith('.mp4') ? world.video : world.image;
      const key = mediaKey(world.workspaceId, media.id);
      await world.change(key, { status: 'invalid', statusMessage: 'it is damaged' });
    },
  },
  {
    name: 'a file is larger than the platform takes',
    // Pictures are made smaller.
    on: ['instagram', 'pinterest', 'threads', 'tiktok', 'youtube'],
    code: 'content_invalid',
    async seed(world, { row }) {
      const isVideo = row.media[0]?.endsWith('.mp4');
      const media = isVideo ? world.video : world.image;
      const key = mediaKey(world.workspaceId, media.id);
      await world.change(key, { sizeBytes: 300_000_000_000 });
    },
  },
];

export const happensTo = (fault: Fault, { row }: Pick<Connected, 'row'>): boolean =>
  (fault.on?.includes(row.platform) ?? true) && (fault.as === undefined || fault.as === row.as);

import * as z from 'zod';
import { FreeForm, Timestamp } from '../api-contract/fields.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { Feature, type StageFeatures } from '../platforms/contract/features.ts';
import { Platform, platformTitles } from '../platforms/contract/names.ts';
import { capabilitiesOf } from './capabilities.ts';

export const AccountStatus = z.enum(['ok', 'error', 'expired']);
export type AccountStatus = z.infer<typeof AccountStatus>;

/** The client's own id for the customer that an account belongs to. Not unique: a customer may have several accounts. */
export const ExternalId = z.string().min(1).max(255).meta({
  description: 'Your own id for your customer, as given when the account was last connected. Not unique',
});

/** A connected account, as stored. Its tokens are a separate item, read only for calls to the platform. */
export const Account = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  platform: Platform,
  /** The platform's id of the account, or `erased`. A string, because some ids do not fit in a number. */
  platformAccountId: z.string(),
  /** The platform's id of the person, if it differs from the account's. All accounts of a login lose access together. */
  loginId: z.string().exactOptional(),
  username: z.string().nullable(),
  displayName: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  status: AccountStatus,
  /** The platform's message when it marked the account, and what Herald was doing. */
  statusMessage: z.string().nullable(),
  /** The time since which the status is not `ok`. Absent if an earlier release marked the account. */
  statusSince: z.string().exactOptional(),
  meta: FreeForm,
  /** The end of access, if only connecting the account again can extend it. */
  reconnectBy: z.string().exactOptional(),
  /** The scopes that the platform has granted. Absent if an earlier release connected the account. */
  scopes: z.array(z.string()).exactOptional(),
  /**
   * The last notice that access ends: the number of days and the end that it announced. A notice for a different end does not
   * count.
   */
  expiringNotice: z.object({ days: z.int(), reconnectBy: z.string() }).exactOptional(),
  /** The time of the next notice; absent if there is none. */
  dueAt: z.string().exactOptional(),
  /** The external id of the attempt that connected the account last; absent if it named none. */
  externalId: z.string().exactOptional(),
  /** The options that a composer begins with. Absent if nobody has set any. Connecting the account again keeps them. */
  defaultOptions: FreeForm.exactOptional(),
  /** The last time that a person connected the account. A renewal of its tokens does not change it. */
  connectedAt: z.string(),
  /** The time at which the user disconnected the account. Until it is connected again, the API reports it as not found. */
  disconnectedAt: z.string().optional(),
});
export type Account = z.infer<typeof Account>;

/** An account's life-cycle state: `disconnected`, or its status while it is connected. */
export const AccountState = z.enum([...AccountStatus.options, 'disconnected']);
export type AccountState = z.infer<typeof AccountState>;

export const accountState = ({ status, disconnectedAt }: Account): AccountState =>
  disconnectedAt === undefined ? status : 'disconnected';

/** Connecting again makes any account `ok`. A disconnected account has no tokens that could expire. */
export const accountLifeCycle: LifeCycle<AccountState> = {
  ok: ['error', 'expired', 'disconnected'],
  error: ['ok', 'expired', 'disconnected'],
  expired: ['ok', 'error', 'disconnected'],
  disconnected: ['ok'],
};

/** The account as the API shows it. */
export const AccountView = z
  .object({
    _id: z.uuid(),
    id: z.uuid().meta({ description: 'The same id as `_id`' }),
    platform: Platform,
    username: z.string().nullable(),
    displayName: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    isActive: z.boolean().meta({ description: 'True if it is connected and its status is `ok`' }),
    status: AccountStatus,
    statusMessage: z.string().nullable().meta({
      description:
        "Reason why the status is not `ok`: the platform's words, with its error code, and the action that failed",
    }),
    statusSince: Timestamp.nullable().meta({ description: 'Since when the status is not `ok`' }),
    capabilities: z.array(Feature).meta({
      description:
        'Features of the account: those that the operator has enabled and for which the user has granted the permissions. An option that needs another feature is refused with 400. More features may be added',
    }),
    externalId: ExternalId.nullable(),
    connectedAt: Timestamp.meta({
      description: 'Time at which a person connected the account, or connected it again',
    }),
    defaultOptions: FreeForm.meta({
      description:
        "The `platformSpecificData` that the panel's composer begins with for this account, such as a board. A post has only the options of its own request; use these to fill in yours",
    }),
    profileId: z.object({ _id: z.uuid().meta({ description: 'The workspace the account belongs to' }) }),
    meta: FreeForm.meta({
      description:
        "Information from the platform about the account, such as Pinterest's boards (as of the connection, or of the last `GET /v1/accounts/{id}/boards`). `reconnectBy`, an ISO 8601 time, is present if access ends then unless the account is connected again; the event `account.expiring` is sent 7 days and 1 day before",
    }),
  })
  .meta({ id: 'Account' });
export type AccountView = z.infer<typeof AccountView>;

/** @param stageFeatures the features that the operator has enabled */
export function toAccountView(account: Account, stageFeatures: StageFeatures): AccountView {
  return {
    _id: account.id,
    id: account.id,
    platform: account.platform,
    username: account.username,
    displayName: account.displayName,
    avatarUrl: account.avatarUrl,
    isActive: accountState(account) === 'ok',
    status: account.status,
    statusMessage: account.statusMessage,
    statusSince: account.statusSince ?? null,
    capabilities: capabilitiesOf(account, stageFeatures),
    externalId: account.externalId ?? null,
    connectedAt: account.connectedAt,
    defaultOptions: account.defaultOptions ?? {},
    profileId: { _id: account.workspaceId },
    meta: {
      ...account.meta,
      ...(account.reconnectBy !== undefined && { reconnectBy: account.reconnectBy }),
    },
  };
}

/**
 * Returns an account as the audit log names it: by its platform. The account's own name is data of a person, who has been promised
 * that nothing of it is left once the account is disconnected.
 */
export const accountSubject = ({ id, platform }: Pick<Account, 'id' | 'platform'>) => ({
  id,
  name: platformTitles[platform],
});

import type { Partition } from '../table/partitions.ts';
import type { IndexName } from '../table/schema.ts';

/** A function's rights on stored data. Each entry is one IAM action on one resource; nothing else is allowed. */
export interface DataRights {
  /** Read rights in the table, by action: for items whose partition key begins with one of these prefixes. */
  readonly reads?: PartitionRights<ReadAction>;
  /** Write rights in the table, in the same form. */
  readonly writes?: PartitionRights<WriteAction>;
  /** Indexes it may query. */
  readonly indexes?: readonly IndexName[];
  /**
   * Actions on the bucket's objects under a prefix: `incoming` has the uploads, `media` the public files. GetObject
   * includes HeadObject. For a missing object, HeadObject responds with 404 only if ListBucket is allowed, else with 403.
   */
  readonly media?: readonly (MediaRight | 'ListBucket')[];
  /** True if it may make the media host drop its cached copies. */
  readonly invalidatesMedia?: boolean;
  /**
   * Actions with the key that seals secrets, only for secrets of a workspace or of a person: sealing (`GenerateDataKey`) and opening
   * (`Decrypt`), each for one purpose.
   */
  readonly tokens?: readonly SealRight[];
  /** The platforms whose app secrets it may read: all (`true`) or the named ones. */
  readonly platformSecrets?: boolean | string | readonly string[];
  /** True if it may read the parameter that names the sign-in issuer, and its client's secret. */
  readonly signIn?: boolean;
  /** True if it may read the parameter with the panel's address. */
  readonly panelUrl?: boolean;
}

/** True if a function seals tokens with the shared data key. One that may not open tokens could not open that key either. */
export const sharesTokenKey = ({ tokens = [] }: DataRights): boolean =>
  tokens.includes('GenerateDataKey tokens') && tokens.includes('Decrypt tokens');

/** Adds the rights that a function needs to seal tokens with the shared data key. */
export function withSealingKeys(rights: DataRights): DataRights {
  if (!sharesTokenKey(rights)) return rights;
  const { reads, writes } = rights;
  return {
    ...rights,
    reads: { ...reads, GetItem: [...(reads?.GetItem ?? []), 'SEALING-KEYS'] },
    writes: { ...writes, PutItem: [...(writes?.PutItem ?? []), 'SEALING-KEYS'] },
  };
}

/** The additional rights of an operation's function. */
export interface ApiRights extends DataRights {
  /** Queues it may send to. */
  readonly sends?: readonly SharedQueue[];
  /** True if it may create users in the stage's user pool, if the stage has one. */
  readonly admitsUsers?: boolean;
}

/**
 * The purpose of a secret: the tokens of accounts; the accounts of a login, until they are confirmed or claimed; the signing
 * secrets of webhooks; the refresh tokens of people's sessions. The purpose is part of the seal's context, so a right for one
 * purpose opens no other.
 */
export type SealPurpose = 'tokens' | 'choice' | 'signing' | 'session';
export type SealRight = `${'GenerateDataKey' | 'Decrypt'} ${SealPurpose}`;

/**
 * The rights on media objects. Public files can only be put as copies of uploads: the bucket's policy requires that a put
 * overwrites nothing.
 */
export type MediaRight =
  | `${'GetObject' | 'PutObject' | 'DeleteObject'} ${'incoming' | 'media'}`
  /** Removes the parts of an upload in parts. PutObject begins and completes such an upload, and sends its parts. */
  | 'AbortMultipartUpload incoming'
  | 'ListMultipartUploadParts incoming';

export type PartitionRights<Action extends string> = Readonly<Partial<Record<Action, readonly Partition[]>>>;

/**
 * The read actions. A transaction needs the right for each of its parts. ConditionCheckItem writes nothing: it is a transaction's
 * part that only checks. No function has the right to Scan.
 */
export type ReadAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'ConditionCheckItem';
export type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem';

/** The queues that workers and API functions both send to. */
export type SharedQueue = 'webhook' | 'inbound';

/** Environment variables that a function must ask for. Variables that name a resource come with the right to it. */
export type Setting =
  | 'MEDIA_BASE_URL'
  /** The features that the operator has enabled, as JSON. */
  | 'PLATFORM_FEATURES'
  | 'PUBLIC_BASE_URL'
  /** The base URL of tracked links. */
  | 'LINK_BASE_URL'
  | 'RATE_LIMIT_PER_MINUTE'
  | 'KEY_RATE_LIMIT_PER_MINUTE'
  | 'WORKSPACE_RATE_LIMIT_PER_MINUTE'
  | 'DAILY_LIMITS'
  /** The digest of the secret which proves that a request comes through our CloudFront. */
  | 'PANEL_ORIGIN_SECRET_DIGEST'
  /** The user pool in which an invitation creates a user. Empty if people sign in elsewhere. */
  | 'USER_POOL_ID'
  /** Hosts of this machine to which plain http requests are allowed. Empty in AWS. */
  | 'PLAIN_HTTP_HOSTS';

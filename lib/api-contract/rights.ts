import type { IndexName } from '../table/schema.ts';

/** What a function may do with what is stored. Each entry is one IAM action on one resource; nothing else is allowed. */
export interface DataRights {
  readonly table?: readonly TableAction[];
  /** The same, but only if the partition key begins so. */
  readonly tablePartitions?: Readonly<Partial<Record<TableAction, string>>>;
  /** Indexes it may query. */
  readonly indexes?: readonly IndexName[];
  /**
   * On the bucket's objects under `media/`. HeadObject goes by the right to GetObject; a missing object answers it 404
   * only to who may ListBucket, else 403.
   */
  readonly media?: readonly (MediaAction | 'ListBucket')[];
  /**
   * With the key that seals secrets, and only in the name of a workspace: to seal (`GenerateDataKey`) and to open, each
   * for one purpose.
   */
  readonly tokens?: readonly SealRight[];
  /** Whether it reads the platforms' app secrets: all of them, or those of the platform of that name. */
  readonly platformSecrets?: boolean | string;
}

/** What an operation of the API may do besides. */
export interface ApiRights extends DataRights {
  /** Queues it may send to. */
  readonly sends?: readonly SharedQueue[];
}

/**
 * What is sealed: the tokens of accounts; the candidates of a login that leads to several, until one is chosen; the
 * secrets that webhooks are signed with. Each is sealed in a context that names it, so a right on one opens no other.
 */
export type SealPurpose = 'tokens' | 'choice' | 'signing';
export type SealRight = `${'GenerateDataKey' | 'Decrypt'} ${SealPurpose}`;

export type MediaAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/** Transactions need the right of each of their parts. There is no Scan, here or anywhere. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** The queues that both workers and the functions of the API send to. */
export type SharedQueue = 'webhook' | 'inbound';

/** Environment variables that a function asks for by name; those that name a resource come with the right to it. */
export type Setting =
  | 'MEDIA_BASE_URL'
  | 'PUBLIC_BASE_URL'
  | 'RATE_LIMIT_PER_MINUTE'
  | 'WEBHOOK_PLAIN_HTTP_HOSTS';

import { indexes } from '../../lib/table/schema.ts';
import type { ApiFunction, ApiRights, TableAction } from './definition.ts';

/**
 * The functions behind the HTTP API, one for each operation. Every route is served as written and under `/api`.
 *
 * Under `/v1` a request costs a look-up of its key (GetItem) and a count against its address (UpdateItem).
 */
export const apiFunctions: readonly ApiFunction[] = [
  { name: 'health', routes: ['GET /health'], entry: 'functions/api/health.ts', rights: {} },
  {
    name: 'openapi',
    routes: ['GET /v1/openapi.json'],
    entry: 'functions/api/openapi.ts',
    rights: { table: ['UpdateItem'] },
    settings: ['RATE_LIMIT_PER_MINUTE', 'PUBLIC_BASE_URL'],
  },
  {
    name: 'docs',
    routes: ['GET /docs', 'GET /docs/assets/{file}'],
    entry: 'functions/api/docs.ts',
    files: [
      'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
      'node_modules/swagger-ui-dist/swagger-ui.css',
    ],
    rights: {},
  },
  withKey({
    name: 'workspace-read',
    routes: ['GET /v1/workspace'],
    entry: 'functions/api/workspace/read.ts',
    rights: { table: ['Query'] },
  }),
  withKey({
    name: 'accounts-list',
    routes: ['GET /v1/accounts'],
    entry: 'functions/api/accounts/list.ts',
    rights: { table: ['Query'] },
  }),
  withKey({
    name: 'accounts-read',
    routes: ['GET /v1/accounts/{id}'],
    entry: 'functions/api/accounts/read.ts',
    rights: {},
  }),
  withKey({
    name: 'accounts-disconnect',
    routes: ['DELETE /v1/accounts/{id}'],
    entry: 'functions/api/accounts/disconnect.ts',
    rights: {
      table: ['Query', 'DeleteItem'],
      tokens: ['Decrypt tokens'],
      platformSecrets: true,
    },
    timeoutSeconds: 29,
  }),
  withKey({
    name: 'rhythm-read',
    routes: ['GET /v1/accounts/{id}/rhythm'],
    entry: 'functions/api/rhythm/read.ts',
    rights: { table: ['BatchGetItem'] },
  }),
  withKey({
    name: 'rhythm-set',
    routes: ['PUT /v1/accounts/{id}/rhythm'],
    entry: 'functions/api/rhythm/set.ts',
    rights: { table: ['ConditionCheckItem', 'PutItem'] },
  }),
  withKey({
    name: 'accounts-connect',
    routes: ['POST /v1/connect/{platform}'],
    entry: 'functions/api/accounts/connect.ts',
    rights: { table: ['PutItem'], platformSecrets: true },
    settings: ['PUBLIC_BASE_URL'],
  }),
  {
    name: 'oauth-callback',
    routes: ['GET /oauth/{platform}/callback'],
    entry: 'functions/api/oauth/callback.ts',
    rights: {
      table: ['PutItem', 'UpdateItem'],
      tokens: ['GenerateDataKey tokens', 'GenerateDataKey choice'],
      platformSecrets: true,
    },
    settings: ['PUBLIC_BASE_URL'],
    timeoutSeconds: 29,
  },
  {
    name: 'oauth-choose',
    routes: ['GET /oauth/{platform}/choose', 'POST /oauth/{platform}/choose'],
    entry: 'functions/api/oauth/choose.ts',
    rights: {
      table: ['GetItem', 'PutItem', 'UpdateItem'],
      tokens: ['GenerateDataKey tokens', 'Decrypt choice'],
      platformSecrets: true,
    },
    settings: ['PUBLIC_BASE_URL'],
    timeoutSeconds: 29,
  },
  withKey({
    name: 'media-presign',
    routes: ['POST /v1/media/presign'],
    entry: 'functions/api/media/presign.ts',
    rights: { table: ['PutItem'], media: ['PutObject'] },
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'media-list',
    routes: ['GET /v1/media'],
    entry: 'functions/api/media/list.ts',
    rights: { table: ['Query'] },
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'media-read',
    routes: ['GET /v1/media/{id}'],
    entry: 'functions/api/media/read.ts',
    rights: {},
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'media-delete',
    routes: ['DELETE /v1/media/{id}'],
    entry: 'functions/api/media/delete.ts',
    rights: { table: ['Query', 'BatchGetItem'] },
    // The posts that refer to the file are read: a thousand at most.
    timeoutSeconds: 29,
  }),
  withKey({
    name: 'posts-create',
    routes: ['POST /v1/posts'],
    entry: 'functions/api/posts/create.ts',
    rights: { table: ['BatchGetItem', 'PutItem', 'Query', 'DeleteItem', 'BatchWriteItem'] },
    settings: ['MEDIA_BASE_URL'],
    // Where many ask for a slot on one channel at once, each waits its turn.
    timeoutSeconds: 29,
  }),
  withKey({
    name: 'posts-validate',
    routes: ['POST /v1/posts/validate'],
    entry: 'functions/api/posts/validate.ts',
    rights: { table: ['BatchGetItem', 'Query'] },
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'posts-list',
    routes: ['GET /v1/posts'],
    entry: 'functions/api/posts/list.ts',
    rights: {
      table: ['BatchGetItem'],
      indexes: [
        indexes.postsNewestFirst.indexName,
        indexes.postsByStatus.indexName,
        indexes.targetsByAccount.indexName,
      ],
    },
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'posts-read',
    routes: ['GET /v1/posts/{id}'],
    entry: 'functions/api/posts/read.ts',
    rights: { table: ['Query'] },
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'posts-edit',
    routes: ['PATCH /v1/posts/{id}'],
    entry: 'functions/api/posts/edit.ts',
    rights: { table: ['Query', 'BatchGetItem', 'PutItem', 'DeleteItem', 'BatchWriteItem'] },
    settings: ['MEDIA_BASE_URL'],
    timeoutSeconds: 29,
  }),
  withKey({
    name: 'posts-delete',
    routes: ['DELETE /v1/posts/{id}'],
    entry: 'functions/api/posts/delete.ts',
    rights: { table: ['Query', 'DeleteItem'] },
  }),
  withKey({
    name: 'posts-retry',
    routes: ['POST /v1/posts/{id}/retry'],
    entry: 'functions/api/posts/retry.ts',
    rights: { table: ['Query', 'PutItem', 'DeleteItem'] },
    settings: ['MEDIA_BASE_URL'],
  }),
  withKey({
    name: 'posts-timeline',
    routes: ['GET /v1/posts/{id}/timeline'],
    entry: 'functions/api/posts/timeline.ts',
    rights: { table: ['Query'] },
  }),
  withKey({
    name: 'webhooks-create',
    routes: ['POST /v1/webhooks'],
    entry: 'functions/api/webhooks/create.ts',
    rights: { table: ['PutItem'], tokens: ['GenerateDataKey signing'] },
    settings: ['WEBHOOK_PLAIN_HTTP_HOSTS'],
    // Name servers are given five seconds.
    timeoutSeconds: 20,
  }),
  withKey({
    name: 'webhooks-list',
    routes: ['GET /v1/webhooks'],
    entry: 'functions/api/webhooks/list.ts',
    rights: { table: ['Query'] },
  }),
  withKey({
    name: 'webhooks-read',
    routes: ['GET /v1/webhooks/{id}'],
    entry: 'functions/api/webhooks/read.ts',
    rights: {},
  }),
  withKey({
    name: 'webhooks-edit',
    routes: ['PATCH /v1/webhooks/{id}'],
    entry: 'functions/api/webhooks/edit.ts',
    rights: { table: ['PutItem', 'DeleteItem'] },
    settings: ['WEBHOOK_PLAIN_HTTP_HOSTS'],
    timeoutSeconds: 20,
  }),
  withKey({
    name: 'webhooks-delete',
    routes: ['DELETE /v1/webhooks/{id}'],
    entry: 'functions/api/webhooks/delete.ts',
    rights: { table: ['DeleteItem'] },
  }),
  withKey({
    name: 'webhooks-rotate-secret',
    routes: ['POST /v1/webhooks/{id}/rotate-secret'],
    entry: 'functions/api/webhooks/rotate-secret.ts',
    rights: { tokens: ['GenerateDataKey signing'] },
  }),
  withKey({
    name: 'webhooks-test',
    routes: ['POST /v1/webhooks/{id}/test'],
    entry: 'functions/api/webhooks/send-test.ts',
    rights: { table: ['ConditionCheckItem', 'PutItem'], sends: ['webhook'] },
  }),
  withKey({
    name: 'webhooks-deliveries',
    routes: ['GET /v1/webhooks/{id}/deliveries'],
    entry: 'functions/api/webhooks/deliveries.ts',
    rights: { table: ['Query'] },
  }),
  withKey({
    name: 'webhooks-redeliver',
    routes: ['POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver'],
    entry: 'functions/api/webhooks/redeliver.ts',
    rights: { sends: ['webhook'] },
  }),
  withKey({
    name: 'webhooks-redeliver-failed',
    routes: ['POST /v1/webhooks/{id}/redeliver-failed'],
    entry: 'functions/api/webhooks/redeliver-failed.ts',
    rights: { table: ['Query'], sends: ['webhook'] },
    // A thousand writes and their messages: a whole processor's work for some seconds.
    memoryMegabytes: 1_769,
    timeoutSeconds: 29,
  }),
  withKey({
    name: 'comment-automations-create',
    routes: ['POST /v1/comment-automations'],
    entry: 'functions/api/comment-automations/create.ts',
    // The platform is asked, with the account's token, for posts that were not published here.
    rights: { table: ['PutItem'], tokens: ['Decrypt tokens'], platformSecrets: 'instagram' },
    settings: ['PUBLIC_BASE_URL'],
    timeoutSeconds: 29,
  }),
  withKey({
    name: 'comment-automations-list',
    routes: ['GET /v1/comment-automations'],
    entry: 'functions/api/comment-automations/list.ts',
    rights: { table: ['Query'] },
  }),
  withKey({
    name: 'comment-automations-read',
    routes: ['GET /v1/comment-automations/{id}'],
    entry: 'functions/api/comment-automations/read.ts',
    rights: { table: ['Query'] },
    settings: ['PUBLIC_BASE_URL'],
  }),
  withKey({
    name: 'comment-automations-edit',
    routes: ['PATCH /v1/comment-automations/{id}'],
    entry: 'functions/api/comment-automations/edit.ts',
    rights: { table: ['PutItem'] },
    settings: ['PUBLIC_BASE_URL'],
  }),
  withKey({
    name: 'comment-automations-delete',
    routes: ['DELETE /v1/comment-automations/{id}'],
    entry: 'functions/api/comment-automations/delete.ts',
    rights: { table: ['DeleteItem'] },
  }),
  {
    name: 'redirect',
    routes: ['GET /r/{code}', 'HEAD /r/{code}'],
    entry: 'functions/api/redirect.ts',
    rights: { tablePartitions: { GetItem: 'LINK#', UpdateItem: 'CLICKS#' } },
    memoryMegabytes: 256,
    timeoutSeconds: 5,
    isCrowded: true,
  },
  {
    name: 'platform-webhook',
    routes: ['GET /platforms/instagram/webhook', 'POST /platforms/instagram/webhook'],
    entry: 'functions/api/platform-webhook.ts',
    rights: { platformSecrets: 'instagram', sends: ['inbound'] },
  },
  {
    name: 'not-found',
    routes: ['$default'],
    entry: 'functions/api/not-found.ts',
    rights: { table: ['UpdateItem'] },
    settings: ['RATE_LIMIT_PER_MINUTE'],
  },
];

/** Adds what every operation that asks for a key does on the table before its own work. */
function withKey(operation: ApiFunction): ApiFunction {
  const rights: ApiRights = {
    ...operation.rights,
    table: distinct(['GetItem', 'UpdateItem', ...(operation.rights.table ?? [])]),
  };
  return { ...operation, rights, settings: ['RATE_LIMIT_PER_MINUTE', ...(operation.settings ?? [])] };
}

function distinct(actions: readonly TableAction[]): readonly TableAction[] {
  return [...new Set(actions)];
}

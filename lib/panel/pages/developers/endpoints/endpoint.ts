import type { listWebhooksOperation } from '../../../../webhooks/endpoints/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';

export type Endpoint = ReplyOf<typeof listWebhooksOperation>['webhooks'][number];
export type Subscription = Endpoint['events'][number];
export type EventType = Exclude<Subscription, '*'>;

/** The paths whose results a change of an endpoint makes out of date. */
export const endpointPaths = ['/v1/webhooks'];

/** All endpoints of the workspace, oldest first. */
export const useEndpoints = () => useGet<typeof listWebhooksOperation>('/v1/webhooks');

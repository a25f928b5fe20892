import type {
  listAllDeliveriesOperation,
  listDeliveriesOperation,
} from '../../../webhooks/deliveries/operations.ts';
import { usePages } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { sentence } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { Status } from '../../components/status.tsx';
import { locale, words } from '../../words/words.ts';
import common from './developers.module.css';

export type Delivery = ReplyOf<typeof listAllDeliveriesOperation>['deliveries'][number];
export type Attempt = Delivery['attempts'][number];

/** The paths whose results a new or repeated delivery makes out of date. */
export const deliveryPaths = ['/v1/deliveries', '/v1/webhooks/{id}/deliveries'];

const soonMs = 60_000;

/** Returns true if the delivery changes within a minute, because its next attempt is due. */
export const isMoving = ({ status, nextAttemptAt }: Delivery, now: number): boolean =>
  status === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) - now < soonMs);

const everyMs = { moving: 1_500, resting: 15_000 };

/**
 * Follows one delivery. The API lists deliveries and reads no single one, so this reads its endpoint's log up to it. Ids are in the order
 * of time, which shows when there is no such delivery.
 *
 * @param known what is shown until it is read
 */
export function useDelivery(webhookId: string, id: string, known?: Delivery) {
  const log = usePages<typeof listDeliveriesOperation>(
    '/v1/webhooks/{id}/deliveries',
    { path: { id: webhookId }, query: { limit: '100' } },
    {
      refetchEveryMs: (page) => {
        const found = page?.deliveries.find((each) => each.id === id) ?? known;
        return found && isMoving(found, Date.now()) ? everyMs.moving : everyMs.resting;
      },
    },
  );
  const read = log.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
  const found = read.find((each) => each.id === id);
  const last = read.at(-1);
  const mayFollow = found === undefined && log.hasNextPage && (last === undefined || last.id > id);
  return { delivery: found ?? known, isFound: found !== undefined, mayFollow, log };
}

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** `132 ms`, `2.4 s`. */
const formatLatency = (latencyMs: number): string =>
  latencyMs < 1_000 ? `${number.format(latencyMs)} ms` : `${number.format(latencyMs / 1_000)} s`;

/** The parameter of the URL that opens a delivery: `<endpoint>.<delivery>`. */
export const openParameter = 'delivery';

export const idInUrl = ({ webhookId, id }: Pick<Delivery, 'webhookId' | 'id'>): string =>
  `${webhookId}.${id}`;

/** A link to a delivery on its tab. */
export function deliveryHref(delivery: Pick<Delivery, 'webhookId' | 'id'>): string {
  return `/developers/deliveries?${new URLSearchParams({ [openParameter]: idInUrl(delivery) })}`;
}

/** A link to the deliveries of an endpoint. */
export function deliveriesHref(endpoint: string): string {
  return `/developers/deliveries?${new URLSearchParams({ endpoint })}`;
}

const tones = { delivered: 'good', pending: 'info', failed: 'bad' } as const;

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  return <Status tone={tones[status]}>{words.deliveriesTab.statuses[status]}</Status>;
}

/** `Status 200 after 132 ms`. */
export function answerOf({ statusCode, latencyMs }: Attempt): string {
  const latency = formatLatency(latencyMs);
  return statusCode === null
    ? words.deliveriesTab.noAnswer(latency)
    : words.deliveriesTab.answered(statusCode, latency);
}

/** Says in a line or two how the last attempt ended: never only as a colour or a picture. */
export function AttemptResult({ attempt, count }: { attempt: Attempt; count: number }) {
  const { error } = attempt;
  const answer = answerOf(attempt);
  const rest = count > 1 ? [words.deliveriesTab.attempts(count)] : [];
  if (error === null)
    return (
      <>
        <span>{answer}</span>
        {rest.length > 0 && <Muted as="span">{rest}</Muted>}
      </>
    );
  return (
    <>
      <span className={common.failure}>{sentence(error)}</span>
      <Muted as="span">{[answer, ...rest].join(' · ')}</Muted>
    </>
  );
}

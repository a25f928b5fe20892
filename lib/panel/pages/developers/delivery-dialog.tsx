import { useEffect } from 'react';
import type { redeliverOperation } from '../../../webhooks/deliveries/operations.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopiedCode, CopyButton } from '../../components/copy-button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Facts, Muted, Row, Stack } from '../../components/layout.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { useCurl } from '../../curl.ts';
import { words } from '../../words/words.ts';
import {
  type Attempt,
  answerOf,
  type Delivery,
  DeliveryStatus,
  deliveryPaths,
  useDelivery,
} from './delivery.tsx';
import classes from './developers.module.css';
import type { Endpoint } from './endpoint.ts';
import { EndpointUrl } from './parts.tsx';

const texts = words.deliveriesTab.detail;

interface DeliveryDialogProps {
  webhookId: string;
  id: string;
  known: Delivery | undefined;
  endpoint: Endpoint | undefined;
  onClose: () => void;
}

/** A delivery with all its attempts, kept fresh while it is open. */
export function DeliveryDialog({ webhookId, id, known, endpoint, onClose }: DeliveryDialogProps) {
  const { delivery, mayFollow, log } = useDelivery(webhookId, id, known);
  const { isFetching, fetchNextPage, error, refetch } = log;
  const reads = mayFollow && !isFetching && error === null;
  useEffect(() => {
    if (reads) void fetchNextPage();
  }, [reads, fetchNextPage]);
  return (
    <Dialog title={delivery?.type ?? texts.title} isOpen size="large" onClose={onClose}>
      {delivery ? (
        <Content delivery={delivery} endpoint={endpoint} onClose={onClose} />
      ) : (
        <>
          <DialogBody>
            {error ? (
              <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
            ) : isFetching || mayFollow ? (
              <Skeleton rows={4} />
            ) : (
              <EmptyState icon="search" title={texts.missing}>
                <p>{texts.missingText}</p>
              </EmptyState>
            )}
          </DialogBody>
          <DialogActions>
            <Button onPress={onClose}>{words.shared.actions.close}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

interface ContentProps {
  delivery: Delivery;
  endpoint: Endpoint | undefined;
  onClose: () => void;
}

function Content({ delivery, endpoint, onClose }: ContentProps) {
  const { id, webhookId, attempts } = delivery;
  const path = { id: webhookId, deliveryId: id };
  const redeliver = useSend<typeof redeliverOperation>(
    'POST',
    '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    deliveryPaths,
  );
  const send = () => redeliver.mutate({ path }, { onSuccess: () => toast({ text: texts.redelivered }) });
  const curl = useCurl();
  const obstacle = obstacleOf(delivery, endpoint);
  return (
    <>
      <DialogBody>
        <DeliveryFacts delivery={delivery} endpoint={endpoint} />
        <Stack as="section" gap={3} aria-labelledby="attempts">
          <h3 id="attempts">{texts.attempts}</h3>
          <AttemptList attempts={attempts} />
          {attempts.length >= 30 && <Muted>{texts.kept}</Muted>}
        </Stack>
        <CodeBlock
          label={`${texts.redeliver} · ${words.developersPage.curl.label}`}
          code={curl({ method: 'POST', path: `/v1/webhooks/${webhookId}/deliveries/${id}/redeliver` })}
          copyLabel={words.developersPage.curl.copy}
        />
        {redeliver.error && <ErrorNotice error={redeliver.error} title={texts.redeliverFailed} />}
        {obstacle && <Muted>{obstacle}</Muted>}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.close}</Button>
        {obstacle === undefined && (
          <Button icon="refresh" variant="primary" isPending={redeliver.isPending} onPress={send}>
            {texts.redeliver}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** Says why the event cannot be sent again; `undefined` if it can. */
function obstacleOf({ status }: Delivery, endpoint: Endpoint | undefined): string | undefined {
  if (endpoint === undefined) return texts.isDeleted;
  if (status === 'pending') return texts.isPending;
  return endpoint.isActive ? undefined : texts.isPaused;
}

interface DeliveryFactsProps {
  delivery: Delivery;
  endpoint: Endpoint | undefined;
}

/** The event and the endpoint, with the ids to look for in the receiver's logs. */
function DeliveryFacts({ delivery, endpoint }: DeliveryFactsProps) {
  const { id, eventId, status, createdAt, nextAttemptAt } = delivery;
  return (
    <Facts
      gap={2}
      of={{
        [words.deliveriesTab.columns.status]: <DeliveryStatus status={status} />,
        [texts.endpoint]: endpoint ? <EndpointUrl url={endpoint.url} /> : words.deliveriesTab.deletedEndpoint,
        [texts.happened]: <Time at={createdAt} isRelative />,
        [texts.nextAttempt]: nextAttemptAt !== null && <Time at={nextAttemptAt} isRelative />,
        [texts.eventId]: (
          <>
            <CopiedCode text={eventId} label={texts.copyEventId} />
            <Muted as="span">{texts.eventIdHelp}</Muted>
          </>
        ),
        [texts.deliveryId]: (
          <>
            <CopiedCode text={id} label={texts.copyDeliveryId} />
            <Muted as="span">{texts.deliveryIdHelp}</Muted>
          </>
        ),
      }}
    />
  );
}

/** Every attempt that is kept, newest first. The newest shows its response. */
function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <Muted size="m">{texts.noAttempts}</Muted>;
  return (
    <Stack as="ol" gap={3} reversed>
      {attempts
        .map((attempt, place) => (
          <AttemptItem
            key={attempt.at}
            attempt={attempt}
            number={place + 1}
            isNewest={place === attempts.length - 1}
          />
        ))
        .reverse()}
    </Stack>
  );
}

interface AttemptItemProps {
  attempt: Attempt;
  number: number;
  isNewest: boolean;
}

function AttemptItem({ attempt, number, isNewest }: AttemptItemProps) {
  const { at, error, responseStart } = attempt;
  return (
    <li className={classes.attempt}>
      <Row gap={3} className={classes.attemptHead}>
        <h4>{texts.attempt(number)}</h4>
        <Status tone={error === null ? 'good' : 'bad'}>
          {error === null ? texts.succeeded : texts.failed}
        </Status>
        <Time at={at} />
        <Muted as="span" size="m">
          {answerOf(attempt)}
        </Muted>
      </Row>
      {error !== null && <p className={classes.failure}>{sentence(error)}</p>}
      {responseStart === '' && <Muted>{texts.emptyResponse}</Muted>}
      {responseStart !== null && responseStart !== '' && (
        <details open={isNewest}>
          <summary>{texts.responseStart}</summary>
          <div className={classes.copied}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long response scrolls, also by keyboard */}
            <pre className={classes.response} dir="auto" tabIndex={0}>
              {responseStart}
            </pre>
            <CopyButton text={responseStart} label={texts.copyResponse} />
          </div>
        </details>
      )}
    </li>
  );
}

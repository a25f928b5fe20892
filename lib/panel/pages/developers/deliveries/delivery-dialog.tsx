import { useEffect } from 'react';
import type { redeliverOperation } from '../../../../webhooks/deliveries/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { toast } from '../../../components/toast-list.ts';
import { useCurl } from '../../../curl.ts';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { AttemptList } from './attempt-list.tsx';
import classes from './deliveries.module.css';
import { type Delivery, deliveryPaths, useDelivery } from './delivery.ts';
import { DeliveryFacts } from './delivery-facts.tsx';

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
        <section className={classes.part} aria-labelledby="attempts">
          <h3 id="attempts">{texts.attempts}</h3>
          <AttemptList attempts={attempts} />
          {attempts.length >= 30 && <p className={common.note}>{texts.kept}</p>}
        </section>
        <CodeBlock
          label={`${texts.redeliver} · ${words.developersPage.curl.label}`}
          code={curl({ method: 'POST', path: `/v1/webhooks/${webhookId}/deliveries/${id}/redeliver` })}
          copyLabel={words.developersPage.curl.copy}
        />
        {redeliver.error && <ErrorNotice error={redeliver.error} title={texts.redeliverFailed} />}
        {obstacle && <p className={common.note}>{obstacle}</p>}
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

/** Why the event cannot be sent again; `undefined` if it can. */
function obstacleOf({ status }: Delivery, endpoint: Endpoint | undefined): string | undefined {
  if (endpoint === undefined) return texts.isDeleted;
  if (status === 'pending') return texts.isPending;
  return endpoint.isActive ? undefined : texts.isPaused;
}

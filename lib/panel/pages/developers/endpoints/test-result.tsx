import { useEffect } from 'react';
import { useRefresh } from '../../../api/hooks.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import { AttemptResult } from '../deliveries/attempt-result.tsx';
import { type Delivery, useDelivery } from '../deliveries/delivery.ts';
import { deliveryHref } from '../deliveries/delivery-href.ts';
import common from '../developers.module.css';
import { endpointPaths } from './endpoint.ts';
import classes from './endpoints.module.css';

interface TestResultProps {
  url: string;
  sent: Delivery;
  onDismiss: () => void;
}

/** Follows a test event until it has arrived or failed. */
export function TestResult({ url, sent, onDismiss }: TestResultProps) {
  const { delivery = sent } = useDelivery(sent.webhookId, sent.id, sent);
  const refresh = useRefresh(endpointPaths);
  const number = delivery.attempts.length;
  useEffect(() => {
    // The first attempt may change whether the endpoint is failing.
    if (number > 0) refresh();
  }, [number, refresh]);
  return (
    <section aria-label={words.endpointsTab.tested.region(url)} aria-live="polite">
      <Result delivery={delivery} onDismiss={onDismiss} />
    </section>
  );
}

interface ResultProps {
  delivery: Delivery;
  onDismiss: () => void;
}

function Result({ delivery, onDismiss }: ResultProps) {
  const { status, nextAttemptAt, attempts } = delivery;
  const attempt = attempts.at(-1);
  const texts = words.endpointsTab.tested;
  if (attempt === undefined)
    return (
      <p className={classes.sending}>
        <Spinner /> {texts.sending}
      </p>
    );
  const isDelivered = status === 'delivered';
  return (
    <Notice
      tone={isDelivered ? 'good' : 'bad'}
      title={isDelivered ? texts.delivered : status === 'failed' ? texts.ended : texts.failed}
      actions={
        <span className={classes.resultActions}>
          <a href={deliveryHref(delivery)}>{texts.open}</a>
          <IconButton icon="cross" size="small" label={texts.dismiss} onPress={onDismiss} />
        </span>
      }
    >
      <p className={common.lines}>
        <AttemptResult attempt={attempt} count={attempts.length} />
      </p>
      {status === 'pending' && nextAttemptAt !== null && (
        <p>
          {texts.nextAt} <Time at={nextAttemptAt} />
        </p>
      )}
      {attempt.responseStart && <pre className={common.response}>{attempt.responseStart}</pre>}
    </Notice>
  );
}

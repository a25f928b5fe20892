import { CopyButton } from '../../../components/copy-button.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import { EndpointUrl } from '../endpoint-url.tsx';
import type { Endpoint } from '../endpoints/endpoint.ts';
import classes from './deliveries.module.css';
import type { Delivery } from './delivery.ts';
import { DeliveryStatus } from './delivery-status.tsx';

const texts = words.deliveriesTab.detail;

interface DeliveryFactsProps {
  delivery: Delivery;
  endpoint: Endpoint | undefined;
}

/** What was sent where, with the ids to look for in the receiver's logs. */
export function DeliveryFacts({ delivery, endpoint }: DeliveryFactsProps) {
  const { id, eventId, status, createdAt, nextAttemptAt } = delivery;
  return (
    <dl className={classes.list}>
      <div>
        <dt>{words.deliveriesTab.columns.status}</dt>
        <dd>
          <DeliveryStatus status={status} />
        </dd>
      </div>
      <div>
        <dt>{texts.endpoint}</dt>
        <dd>{endpoint ? <EndpointUrl url={endpoint.url} /> : words.deliveriesTab.deletedEndpoint}</dd>
      </div>
      <div>
        <dt>{texts.happened}</dt>
        <dd>
          <Time at={createdAt} isRelative />
        </dd>
      </div>
      {nextAttemptAt !== null && (
        <div>
          <dt>{texts.nextAttempt}</dt>
          <dd>
            <Time at={nextAttemptAt} isRelative />
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.eventId}</dt>
        <dd>
          <Id id={eventId} label={texts.copyEventId} help={texts.eventIdHelp} />
        </dd>
      </div>
      <div>
        <dt>{texts.deliveryId}</dt>
        <dd>
          <Id id={id} label={texts.copyDeliveryId} help={texts.deliveryIdHelp} />
        </dd>
      </div>
    </dl>
  );
}

interface IdProps {
  id: string;
  label: string;
  help: string;
}

function Id({ id, label, help }: IdProps) {
  return (
    <>
      <span className={classes.id}>
        <code>{id}</code>
        <CopyButton text={id} label={label} />
      </span>
      <span className={common.note}>{help}</span>
    </>
  );
}

import type { Column } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import { EndpointUrl } from '../endpoint-url.tsx';
import { AttemptResult } from './attempt-result.tsx';
import classes from './deliveries.module.css';
import type { Delivery } from './delivery.ts';
import { idInUrl } from './delivery-href.ts';
import { DeliveryStatus } from './delivery-status.tsx';

interface Context {
  /** The URL of an endpoint by its id. */
  urls: ReadonlyMap<string, string>;
  hrefOf: (delivery: Delivery) => string;
}

/** What the list says about each delivery. */
export function deliveryColumns({ urls, hrefOf }: Context): readonly Column<Delivery>[] {
  const titles = words.deliveriesTab.columns;
  return [
    {
      id: 'event',
      title: titles.event,
      width: 'minmax(0, 1.1fr)',
      isRowHeader: true,
      cell: (delivery) => (
        <a
          className={classes.rowLink}
          href={hrefOf(delivery)}
          data-delivery={idInUrl(delivery)}
          aria-haspopup="dialog"
        >
          {delivery.type}
        </a>
      ),
    },
    {
      id: 'endpoint',
      title: titles.endpoint,
      width: 'minmax(0, 1.2fr)',
      cell: ({ webhookId }) => {
        const url = urls.get(webhookId);
        return url === undefined ? words.deliveriesTab.deletedEndpoint : <EndpointUrl url={url} isClamped />;
      },
    },
    { id: 'when', title: titles.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'result',
      title: titles.result,
      width: 'minmax(0, 1.4fr)',
      cell: (delivery) => <LastAttempt delivery={delivery} />,
    },
    {
      id: 'status',
      title: titles.status,
      width: '6.5rem',
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
  ];
}

function LastAttempt({ delivery: { attempts, nextAttemptAt } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <div className={common.lines}>
      {last === undefined ? (
        <span className={common.muted}>{words.deliveriesTab.noAttempt}</span>
      ) : (
        <AttemptResult attempt={last} count={attempts.length} />
      )}
      {nextAttemptAt !== null && attempts.length > 0 && (
        <span className={common.note}>
          {words.deliveriesTab.nextAt} <Time at={nextAttemptAt} />
        </span>
      )}
    </div>
  );
}

import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CurlDialog } from '../../components/curl-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useCurl } from '../../curl.ts';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import common from './developers.module.css';
import { DeleteEndpointDialog, PauseEndpointDialog } from './endpoints/confirm-dialogs.tsx';
import { EditEndpointDialog } from './endpoints/edit-endpoint-dialog.tsx';
import { type Endpoint, useEndpoints } from './endpoints/endpoint.ts';
import { EndpointCard } from './endpoints/endpoint-card.tsx';
import type { EndpointAction } from './endpoints/endpoint-menu.tsx';
import classes from './endpoints/endpoints.module.css';
import { NewEndpointDialog } from './endpoints/new-endpoint-dialog.tsx';
import { RedeliverDialog } from './endpoints/redeliver-dialog.tsx';
import { RotateSecretDialog } from './endpoints/rotate-secret-dialog.tsx';

type Open = { action: EndpointAction; endpoint: Endpoint } | 'new' | undefined;

/** Where the workspace's events go. */
export default function EndpointsTab() {
  const endpoints = useEndpoints();
  const [open, setOpen] = useState<Open>();
  const create = () => setOpen('new');
  useCommands([{ name: words.endpointsTab.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  const isFull = (endpoints.data?.webhooks.length ?? 0) >= words.endpointsTab.most;
  return (
    <div className={common.tab}>
      <header className={common.head}>
        <p className={common.lead}>
          {words.endpointsTab.lead}
          {isFull && ` ${words.endpointsTab.full(words.endpointsTab.most)}`}
        </p>
        <Button variant="primary" icon="plus" onPress={create} isDisabled={isFull}>
          {words.endpointsTab.create}
        </Button>
      </header>
      <Endpoints endpoints={endpoints} onOpen={(action, endpoint) => setOpen({ action, endpoint })} />
      <OpenDialog open={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}

interface EndpointsProps {
  endpoints: ReturnType<typeof useEndpoints>;
  onOpen: (action: EndpointAction, endpoint: Endpoint) => void;
}

function Endpoints({ endpoints: { data, error, isPending, isFetching, refetch }, onOpen }: EndpointsProps) {
  const curl = useCurl();
  if (isPending) return <Skeleton kind="card" rows={2} />;
  if (data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
  if (data.webhooks.length === 0) {
    const command = curl({
      method: 'POST',
      path: '/v1/webhooks',
      body: { url: words.endpointsTab.empty.example, events: ['*'] },
    });
    return (
      <>
        <EmptyState icon="webhook" title={words.endpointsTab.empty.title}>
          <p>{words.endpointsTab.empty.text}</p>
        </EmptyState>
        <CodeBlock
          label={words.developersPage.curl.label}
          code={command}
          copyLabel={words.developersPage.curl.copy}
        />
      </>
    );
  }
  return (
    <ul className={classes.cards} aria-label={words.endpointsTab.label}>
      {data.webhooks.map((endpoint) => (
        <EndpointCard key={endpoint.id} endpoint={endpoint} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const curl = useCurl();
  if (open === undefined) return null;
  if (open === 'new') return <NewEndpointDialog onClose={onClose} />;
  const { action, endpoint } = open;
  switch (action) {
    case 'edit':
      return <EditEndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'pause':
      return <PauseEndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'rotate':
      return <RotateSecretDialog endpoint={endpoint} onClose={onClose} />;
    case 'redeliver':
      return <RedeliverDialog endpoint={endpoint} onClose={onClose} />;
    case 'delete':
      return <DeleteEndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'curl':
      return (
        <CurlDialog
          command={curl({ method: 'POST', path: `/v1/webhooks/${endpoint.id}/test` })}
          onClose={onClose}
        />
      );
  }
}

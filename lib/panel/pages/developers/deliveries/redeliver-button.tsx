import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { words } from '../../../words/words.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { RedeliverDialog } from '../endpoints/redeliver-dialog.tsx';

/** Where one endpoint is chosen, offers to send again what has failed. */
export function RedeliverButton({ endpoint }: { endpoint: Endpoint | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (!endpoint?.isActive) return null;
  return (
    <>
      <Button icon="refresh" onPress={() => setOpen(true)}>
        {words.deliveriesTab.redeliverAll}
      </Button>
      {isOpen && <RedeliverDialog endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { AccountChoice } from '../account-choice.tsx';
import type { Endpoint } from './endpoint.ts';
import { EventChoice } from './event-choice.tsx';

export interface EndpointDraft extends Pick<Endpoint, 'url' | 'events' | 'accountIds'> {
  description: string;
}

interface EndpointFieldsProps {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
}

/** What is asked about an endpoint, new or not. */
export function EndpointFields({ draft, onChange }: EndpointFieldsProps) {
  const texts = words.endpointsTab.form;
  const set = (changes: Partial<EndpointDraft>) => onChange({ ...draft, ...changes });
  return (
    <>
      <TextField
        label={texts.url}
        name="url"
        type="url"
        help={texts.urlHelp}
        placeholder={texts.urlPlaceholder}
        value={draft.url}
        onChange={(url) => set({ url })}
        maxLength={texts.mostUrl}
        validate={(value) => (value.trim() === '' ? texts.urlMissing : null)}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={texts.description}
        name="description"
        isOptional
        value={draft.description}
        onChange={(description) => set({ description })}
        maxLength={texts.mostDescription}
        autoComplete="off"
      />
      <EventChoice value={draft.events} onChange={(events) => set({ events: [...events] })} />
      <AccountChoice
        value={draft.accountIds}
        onChange={(ids) => set({ accountIds: ids && [...ids] })}
        most={texts.mostAccounts}
        help={texts.accountsHelp}
      />
    </>
  );
}

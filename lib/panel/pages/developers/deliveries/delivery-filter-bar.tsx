import { Button } from '../../../components/button.tsx';
import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import type { Filters } from '../../../use-filters.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import common from '../developers.module.css';
import type { Endpoint } from '../endpoints/endpoint.ts';
import classes from './deliveries.module.css';
import type { filterNames } from './wanted.ts';

interface DeliveryFilterBarProps {
  filters: Filters<(typeof filterNames)[number]>;
  endpoints: readonly Endpoint[];
}

const texts = words.deliveriesTab.filters;

/** Which deliveries are listed. */
export function DeliveryFilterBar({ filters, endpoints }: DeliveryFilterBarProps) {
  const { values, set, clear, isAny } = filters;
  return (
    <search className={common.filters}>
      <Filter
        label={texts.status}
        all={texts.anyStatus}
        names={words.deliveriesTab.statuses}
        value={values.status}
        onChange={(status) => set({ status })}
      />
      <Filter
        label={texts.type}
        all={texts.anyType}
        names={Object.fromEntries(Object.keys(words.endpointsTab.descriptions).map((type) => [type, type]))}
        value={values.type}
        onChange={(type) => set({ type })}
      />
      <Filter
        label={texts.endpoint}
        all={texts.anyEndpoint}
        names={Object.fromEntries(endpoints.map(({ id, url }) => [id, url]))}
        value={values.endpoint}
        onChange={(endpoint) => set({ endpoint })}
      />
      <Select
        label={texts.period}
        isLabelHidden
        choices={Object.entries(texts.periods).map(([id, name]) => ({ id, name }))}
        selectedKey={values.period in texts.periods ? values.period : ''}
        onSelectionChange={(id) => set({ period: String(id), from: '', to: '' })}
      />
      {values.period === 'days' && <Days from={values.from} to={values.to} onChange={set} />}
      {isAny && (
        <Button variant="quiet" icon="cross" onPress={clear}>
          {texts.clear}
        </Button>
      )}
    </search>
  );
}

interface FilterProps {
  label: string;
  all: string;
  names: Readonly<Record<string, string>>;
  value: string;
  onChange: (value: string) => void;
}

function Filter({ label, all, names, value, onChange }: FilterProps) {
  return (
    <Select
      label={label}
      isLabelHidden
      choices={[{ id: '', name: all }, ...Object.entries(names).map(([id, name]) => ({ id, name }))]}
      selectedKey={value in names ? value : ''}
      onSelectionChange={(id) => onChange(String(id))}
    />
  );
}

interface DaysProps {
  from: string;
  to: string;
  onChange: (days: { from?: string; to?: string }) => void;
}

function Days({ from, to, onChange }: DaysProps) {
  const { timezone } = useWorkspace();
  return (
    <fieldset className={classes.days}>
      <legend>
        <VisuallyHidden>{texts.zone(timezone)}</VisuallyHidden>
      </legend>
      <TextField
        label={texts.from(timezone)}
        type="date"
        value={from}
        onChange={(day) => onChange({ from: day })}
      />
      <TextField
        label={texts.to(timezone)}
        type="date"
        value={to}
        onChange={(day) => onChange({ to: day })}
      />
    </fieldset>
  );
}

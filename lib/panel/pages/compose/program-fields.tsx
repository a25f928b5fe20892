import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted } from '../../components/layout.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import textClasses from '../../components/texts.module.css';
import { words } from '../../words/words.ts';
import classes from './composer.module.css';
import { useComposing } from './context.ts';
import type { MetadataPair } from './draft/draft.ts';
import { keys } from './draft/places.ts';
import { AtField, Said, useSaid } from './fields.tsx';
import rowClasses from './options/options.module.css';

const texts = words.composer.forPrograms;

/** The fields that only programs read or decide. */
export function ProgramFields() {
  return (
    <div className={classes.fields}>
      <Muted>{texts.lead}</Muted>
      <OnQuota />
      <ExternalId />
      <Metadata />
    </div>
  );
}

function OnQuota() {
  const { draft, act } = useComposing();
  const said = useSaid(keys.onQuota, true);
  const { label, wait, fail } = texts.onQuota;
  return (
    <AtField of={keys.onQuota}>
      <Select
        label={label}
        help={said.help()}
        choices={[
          { id: 'wait', name: wait },
          { id: 'fail', name: fail },
        ]}
        value={draft.onQuota ?? 'wait'}
        onChange={(key) =>
          act({ do: 'forPrograms', changes: { onQuota: key === 'fail' ? 'fail' : undefined } })
        }
        {...said.field}
      />
    </AtField>
  );
}

function ExternalId() {
  const { draft, act } = useComposing();
  const said = useSaid(keys.externalId);
  const { externalId = '', isExternalIdUnique = false } = draft;
  return (
    <AtField of={keys.externalId}>
      <TextField
        label={texts.externalId.label}
        help={said.help(texts.externalId.help)}
        value={externalId}
        onChange={(typed) => act({ do: 'forPrograms', changes: { externalId: typed || undefined } })}
        {...said.field}
        autoComplete="off"
      />
      <Checkbox
        isSelected={isExternalIdUnique}
        isDisabled={externalId === ''}
        onChange={(isChosen) =>
          act({ do: 'forPrograms', changes: { isExternalIdUnique: isChosen || undefined } })
        }
      >
        {texts.externalId.unique}
      </Checkbox>
    </AtField>
  );
}

/** The most pairs that the service takes. */
const mostPairs = 20;

function Metadata() {
  const { draft, act } = useComposing();
  const { metadata = [] } = draft;
  const change = (pairs: readonly MetadataPair[]) =>
    act({ do: 'forPrograms', changes: { metadata: pairs.length > 0 ? pairs : undefined } });
  const edit = (place: number, changes: Partial<MetadataPair>) =>
    change(metadata.map((pair, index) => (index === place ? { ...pair, ...changes } : pair)));
  return (
    <AtField of={keys.metadata}>
      <fieldset className={rowClasses.rows}>
        <legend className={textClasses.label}>{texts.metadata.label}</legend>
        <Muted>{texts.metadata.help}</Muted>
        {metadata.map(({ name, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pair is known by its place
          <div key={place} className={rowClasses.row}>
            <TextField
              label={texts.metadata.name}
              value={name}
              onChange={(name) => edit(place, { name })}
              autoComplete="off"
            />
            <TextField
              label={texts.metadata.value}
              value={value}
              onChange={(value) => edit(place, { value })}
              autoComplete="off"
            />
            <IconButton
              icon="cross"
              label={texts.metadata.remove(name)}
              onPress={() => change(metadata.toSpliced(place, 1))}
            />
          </div>
        ))}
        {metadata.length < mostPairs && (
          <div>
            <Button size="small" icon="plus" onPress={() => change([...metadata, { name: '', value: '' }])}>
              {texts.metadata.add}
            </Button>
          </div>
        )}
      </fieldset>
      <Said of={keys.metadata} />
    </AtField>
  );
}

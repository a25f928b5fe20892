import { useState } from 'react';
import { characterCount } from '../../../../platforms/shared/text.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Select } from '../../../components/select.tsx';
import { TextArea } from '../../../components/text-area.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { Said, useSaid } from '../parts/at-field.tsx';
import type { Choice, Flag, List, NumberOption, Special, Text } from './control.ts';
import type { ControlProps } from './props.ts';
import { SpecialControl } from './special.tsx';

/** The control of an option. */
export function OptionControl({ control, ...props }: ControlProps) {
  switch (control.kind) {
    case 'flag':
      return <FlagControl {...props} control={control} />;
    case 'choice':
      return <ChoiceControl {...props} control={control} />;
    case 'text':
      return <TextControl {...props} control={control} />;
    case 'list':
      return <ListControl {...props} control={control} />;
    case 'number':
      return <NumberControl {...props} control={control} />;
    case 'special':
      return <SpecialControl {...(props as ControlProps<Special>)} control={control} />;
  }
}

/** What is as usual is not sent, so that a later change of the platform's own usual applies. */
function FlagControl({ name, control, options, keyOf, onChange }: ControlProps<Flag>) {
  const { label, help, usual } = control;
  const value = typeof options[name] === 'boolean' ? options[name] : usual;
  return (
    <>
      <Checkbox
        isSelected={value}
        onChange={(isSelected) => onChange(name, isSelected === usual ? undefined : isSelected)}
        note={help}
      >
        {label}
      </Checkbox>
      <Said of={keyOf(name)} />
    </>
  );
}

const unset = 'unset';

function ChoiceControl({ name, control, options, keyOf, onChange }: ControlProps<Choice>) {
  const { label, help, choices, usual } = control;
  const said = useSaid(keyOf(name));
  const none =
    'none' in control && typeof control.none === 'string' ? control.none : words.shared.fields.choose;
  const given = options[name];
  const known = Object.entries(choices).map(([id, name]) => ({
    id,
    name: id === usual ? words.options.usual(name) : name,
  }));
  const isUnknown = typeof given === 'string' && !Object.hasOwn(choices, given);
  return (
    <Select
      label={label}
      help={
        <>
          {help}
          {said.notes}
        </>
      }
      choices={[
        ...(usual === undefined ? [{ id: unset, name: none }] : []),
        ...known,
        ...(isUnknown ? [{ id: given, name: given }] : []),
      ]}
      value={typeof given === 'string' ? given : (usual ?? unset)}
      onChange={(key) => onChange(name, key === unset || key === usual ? undefined : key)}
      validationBehavior="aria"
      validate={said.validate}
    />
  );
}

function TextControl({ name, control, options, content, platform, keyOf, onChange }: ControlProps<Text>) {
  const { label, help, most, isCountedInUnits, rows, type } = control;
  const said = useSaid(keyOf(name));
  const given = options[name];
  const value = typeof given === 'string' ? given : '';
  const used = isCountedInUnits ? value.length : characterCount(value);
  const isNear = most !== undefined && used > most * 0.8;
  const shown = {
    label,
    value,
    onChange: (text: string) => onChange(name, text === '' ? undefined : text),
    validationBehavior: 'aria' as const,
    validate: said.validate,
    help: (
      <>
        {help}
        {isNear && ` ${words.shared.characters(used, most)}`}
        {said.notes}
      </>
    ),
    placeholder: platform === 'youtube' && name === 'title' ? firstLineOf(content) : '',
  };
  return rows === undefined ? (
    <TextField {...shown} autoComplete="off" {...(type && { type })} />
  ) : (
    <TextArea {...shown} rows={rows} />
  );
}

/** What YouTube shows as the title if there is none: the first line of the text, without the signs that it does not take. */
const firstLineOf = (content: string): string => {
  const lines = content.split(/[\r\n]+/).map((line) => line.replace(/[<>]/g, '').trim());
  return [...(lines.find((line) => line !== '') ?? '')].slice(0, 100).join('');
};

/** Words with commas. What is typed stays as it is typed until the field is left. */
function ListControl({ name, control: { label, help }, options, keyOf, onChange }: ControlProps<List>) {
  const given = options[name];
  const words = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? [given] : [];
  const [typed, setTyped] = useState<string>();
  const said = useSaid(keyOf(name));
  return (
    <TextField
      label={label}
      help={
        <>
          {help}
          {said.notes}
        </>
      }
      value={typed ?? words.join(', ')}
      onChange={(text) => {
        setTyped(text);
        const list = text
          .split(',')
          .map((word) => word.trim())
          .filter(Boolean);
        onChange(name, list.length === 0 ? undefined : list);
      }}
      onBlur={() => setTyped(undefined)}
      validationBehavior="aria"
      validate={said.validate}
      autoComplete="off"
    />
  );
}

function NumberControl({
  name,
  control: { label, help, least = 0 },
  options,
  keyOf,
  onChange,
}: ControlProps<NumberOption>) {
  const said = useSaid(keyOf(name));
  const given = options[name];
  return (
    <TextField
      label={label}
      help={
        <>
          {help}
          {said.notes}
        </>
      }
      type="number"
      inputMode="numeric"
      value={typeof given === 'number' ? String(given) : ''}
      onChange={(text) => {
        const number = Number(text);
        onChange(name, text === '' || !Number.isFinite(number) ? undefined : Math.max(least, number));
      }}
      validationBehavior="aria"
      validate={said.validate}
    />
  );
}

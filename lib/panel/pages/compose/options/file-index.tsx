import { Select } from '../../../components/select.tsx';
import { words } from '../../../words/words.ts';
import { useSaid } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import type { ControlProps } from './props.ts';

/** One of the post's files; the first one is the usual. */
export function FileIndexControl({ name, control, media, options, keyOf, onChange }: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const given = options[name];
  const index = typeof given === 'number' ? given : 0;
  const places = Math.max(media.length, index + 1);
  return (
    <Select
      label={control.label}
      help={said.notes}
      choices={Array.from({ length: places }, (_, place) => ({
        id: String(place),
        name: place === 0 ? words.options.fileUsual : words.options.file(place + 1),
        note: media[place]?.fileName,
      }))}
      value={String(index)}
      onChange={(key) => onChange(name, key === '0' ? undefined : Number(key))}
      validationBehavior="aria"
      validate={said.validate}
    />
  );
}

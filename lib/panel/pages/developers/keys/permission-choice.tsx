import { useState } from 'react';
import { Checkbox, CheckboxGroup } from '../../../components/checkbox.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { words } from '../../../words/words.ts';
import classes from '../developers.module.css';
import type { Key } from '../names.ts';

export type Permission = NonNullable<Key['permissions']>[number];

const texts = words.keysTab.permissions;
const all = Object.keys(texts.names) as Permission[];

interface PermissionChoiceProps {
  value: readonly Permission[] | null;
  onChange: (value: readonly Permission[] | null) => void;
}

/** All permissions, or some of them. */
export function PermissionChoice({ value, onChange }: PermissionChoiceProps) {
  const [before, setBefore] = useState<readonly Permission[]>(['read']);
  const change = (permissions: readonly Permission[] | null) => {
    if (permissions !== null) setBefore(permissions);
    onChange(permissions);
  };
  return (
    <div className={classes.choice}>
      <RadioGroup
        label={texts.label}
        value={value === null ? 'all' : 'chosen'}
        onChange={(kind) => change(kind === 'all' ? null : before)}
      >
        <Radio value="all">{texts.all}</Radio>
        <Radio value="chosen">{texts.chosen}</Radio>
      </RadioGroup>
      {value !== null && (
        <div className={classes.chosen}>
          <CheckboxGroup
            label={texts.choose}
            name="permissions"
            value={[...value]}
            onChange={(chosen) => change(all.filter((each) => chosen.includes(each)))}
            validate={(chosen) => (chosen.length === 0 ? texts.atLeastOne : null)}
          >
            {all.map((permission) => (
              <Checkbox key={permission} value={permission} note={texts.notes[permission]}>
                {texts.names[permission]}
              </Checkbox>
            ))}
          </CheckboxGroup>
        </div>
      )}
    </div>
  );
}

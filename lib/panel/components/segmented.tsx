import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { join } from './classes.ts';
import classes from './segmented.module.css';

interface SegmentedProps<Id extends string> {
  label: string;
  choices: readonly { readonly id: Id; readonly name: string }[];
  value: Id;
  onChange: (id: Id) => void;
  isWide?: boolean;
}

/** A choice between a few views, side by side. A wide one fills the line. */
export function Segmented<Id extends string>({
  label,
  choices,
  value,
  onChange,
  isWide,
}: SegmentedProps<Id>) {
  return (
    <ToggleButtonGroup
      className={join(classes.group, isWide && classes.wide)}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={([chosen]) => chosen !== undefined && onChange(chosen as Id)}
    >
      {choices.map(({ id, name }) => (
        <ToggleButton key={id} id={id} className={classes.segment}>
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

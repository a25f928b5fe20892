import { Text } from 'react-aria-components/Text';
import { Icon, type IconName } from './icon.tsx';
import classes from './popover.module.css';

interface ChoiceBodyProps {
  name: string;
  note?: string | undefined;
  icon?: IconName | undefined;
  isSelected: boolean;
}

/** What an item of a list in a popover shows: of a menu, a select, a combo box. */
export function ChoiceBody({ name, note, icon, isSelected }: ChoiceBodyProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <Text slot="label" className={classes.text}>
        {name}
      </Text>
      {note && (
        <Text slot="description" className={classes.note}>
          {note}
        </Text>
      )}
      {isSelected && (
        <span className={classes.check}>
          <Icon name="check" />
        </span>
      )}
    </>
  );
}

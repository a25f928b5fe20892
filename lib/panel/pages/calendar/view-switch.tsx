import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { words } from '../../words/words.ts';
import { type View, views } from './grid.ts';
import classes from './toolbar.module.css';

interface ViewSwitchProps {
  view: View;
  isSmall: boolean;
  onChange: (view: View) => void;
}

/** Chooses between month, week, day and agenda. */
export function ViewSwitch({ view, isSmall, onChange }: ViewSwitchProps) {
  return (
    <ToggleButtonGroup
      className={classes['views'] as string}
      aria-label={words.calendarPage.views.label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[view]}
      onSelectionChange={([chosen]) => chosen !== undefined && onChange(chosen as View)}
    >
      {views
        .filter((each) => !(isSmall && each === 'month'))
        .map((each) => (
          <ToggleButton key={each} id={each} className={classes['view'] as string}>
            {words.calendarPage.views[each]}
          </ToggleButton>
        ))}
    </ToggleButtonGroup>
  );
}

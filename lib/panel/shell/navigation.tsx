import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon.tsx';
import { strings } from '../strings.ts';
import classes from './navigation.module.css';
import { firstTab, pages } from './pages.ts';

/** Links to the panel's own pages: beside the page, or below it on small screens. */
export function Navigation() {
  return (
    <nav className={classes['navigation']} aria-label={strings.navigation.label}>
      <ul className={classes['list']}>
        {pages.map(({ to, name, icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={firstTab}
              className={classes['link'] as string}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon name={icon} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

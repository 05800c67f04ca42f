/** What a person lets an app take. */
export const limitsEn = {
  change: 'Limits',
  changeNamed: (app: string) => `Limits for ${app}`,
  title: (app: string) => `Limits for ${app}`,
  lead: 'A payment beyond a limit is refused. Leave a field empty for no limit. Only you can change this, not the app.',
  single: 'Largest single payment',
  day: 'Total per day',
  week: 'Total per week',
  month: 'Total per month',
  lastDay: 'Last day',
  lastDayHint: 'After this day, the app can take nothing.',
  zone: (zone: string) =>
    `Days, weeks and months follow your time zone, ${zone}. Weeks start on Monday. What the app has already taken in the current day, week and month counts.`,
  amountError: 'Enter an amount such as 20 or 19.99, or leave it empty.',
  dayError: 'Choose a day from 2000 to 2999, or leave it empty.',
  confirm: 'The app could take more than before. Confirm this with your password or a passkey.',
  confirmByPasskey: 'Confirm with a passkey',
  saved: (app: string) => `The limits for ${app} are saved.`,
  removed: (app: string) => `${app} has no limits.`,
  shownSingle: (most: string) => `At most ${most} per payment`,
  shownDay: (spent: string, most: string) => `${spent} of ${most} used today`,
  shownWeek: (spent: string, most: string) => `${spent} of ${most} used this week`,
  shownMonth: (spent: string, most: string) => `${spent} of ${most} used this month`,
  shownLastDay: (day: string) => `Until ${day}`,
}

export type LimitMessages = typeof limitsEn

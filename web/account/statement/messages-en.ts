/** The part of messages-en.ts about the statement of a month. */

export const statementEn = {
  title: 'Statement',
  open: 'Statement',
  back: 'History',
  month: 'Month',
  print: 'Print or save as PDF',
  of: (month: string) => `Statement for ${month}`,
  holder: 'Account holder',
  period: 'Period',
  days: (first: string, last: string) => `${first} to ${last}`,
  zone: (zone: string) => `Time zone: ${zone}`,
  opening: 'Opening balance',
  totalIn: 'Money in',
  totalOut: 'Money out',
  closing: 'Closing balance',
  soFar: 'Balance so far',
  date: 'Date',
  details: 'Details',
  amount: 'Amount',
  balance: 'Balance',
  none: 'No transactions in this month.',
  unavailable:
    'There is no statement for this month. If its transactions are archived, contact support to get a copy. If there are too many, download the CSV file.',
  failed: 'We could not load the statement.',
}

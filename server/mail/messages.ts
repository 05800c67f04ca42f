/**
 * The emails to the contacts of client apps, in English. Those to people are in `messages-en.ts` and the other
 * languages. No subject contains a code or a link: locked screens and logs of mail servers show subjects.
 */
import { SECRET_LINK_HOURS } from '@coffer/contract/limits'
import type { Language } from '@coffer/contract/languages'

export interface Mail {
  /** undefined: English. */
  lang?: Language
  subject: string
  text: string
}

interface NamedApp {
  name: string
  clientId: string
}

export function appChanged(
  { name, clientId }: NamedApp,
  changes: readonly string[],
  by = 'An operator',
): Mail {
  return {
    subject: `${name}: a setting of your client app changed`,
    text: `${by} changed the client app ${name} (${clientId}):\n\n${changes.join('\n')}\n\nIf you did not expect this, contact the operator of the wallet service immediately.\n`,
  }
}

export function secretLink({ name, clientId }: NamedApp, link: string): Mail {
  return {
    subject: `${name}: collect your new client secret`,
    text: `An operator revoked the secret of the client app ${name} (${clientId}), so its calls are refused now. This link shows the new secret once:\n\n${link}\n\nIt works for ${SECRET_LINK_HOURS} hours. If somebody else has used it, contact the operator of the wallet service immediately.\n`,
  }
}

export function debitAlert(
  { name, clientId }: NamedApp,
  { amount, hour, isPaused }: { amount: string; hour: string; isPaused: boolean },
): Mail {
  const state = isPaused
    ? 'Its debits and credits are paused now. An operator resumes them at /admin/client-apps.'
    : 'Nothing is paused. An operator can pause the app at /admin/client-apps.'
  return {
    subject: `${name}: debits exceed the alert threshold`,
    text: `The debits and holds of the client app ${name} (${clientId}) in the hour that began at ${hour} amount to ${amount}, which exceeds the alert threshold.\n\n${state}\n\nIf you did not expect this, the client secret may have leaked. Replace it, and look at the latest debits.\n`,
  }
}

interface CheckMail {
  name: string
  at: string
  summary: string
  advice: string
  /** The address of the admin area, if it is known. */
  adminOrigin: string | undefined
}

/** To operators, when a check fails for the first time. */
export function checkFailed({ name, at, summary, advice, adminOrigin }: CheckMail): Mail {
  return {
    subject: `Coffer: the check ${name} failed`,
    text: `The check ${name} failed at ${at}:\n\n${summary}\n\n${advice}\n\nYou get another email when the check finds no problem anymore. The last result of each check is at ${adminOrigin ?? ''}/admin.\n`,
  }
}

export function checkRecovered({
  name,
  at,
  summary,
}: Omit<CheckMail, 'advice' | 'adminOrigin'>): Mail {
  return {
    subject: `Coffer: the check ${name} finds no problem anymore`,
    text: `The check ${name} failed before. At ${at} it found no problem:\n\n${summary}\n`,
  }
}

/** `reason`: why the service stopped sending. */
export function webhookDisabled({
  name,
  clientId,
  url,
  reason,
}: NamedApp & { url: string; reason: string }): Mail {
  const why =
    reason === 'gone'
      ? 'Its receiver responded with the status 410, which means that it wants no more events.'
      : 'Every delivery has failed for five days.'
  return {
    subject: `${name}: a webhook was disabled`,
    text: `The wallet service no longer sends events of the client app ${name} (${clientId}) to this webhook:\n\n${url}\n\n${why}\n\nRepair the receiver, then ask the operator of the wallet service to switch the webhook on and to send the missed events again. They are also in the feed of events for 30 days.\n`,
  }
}

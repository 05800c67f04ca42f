/** The server writes its own address and the release that was asked for in here.
 * @type {string} */
export const ORIGIN = '{{origin}}'
/** @type {string} */
export const RELEASE = '{{release}}'

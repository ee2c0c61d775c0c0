// Opens another page of the app with the settings in its address.

export default function ({ data }) {
  window.location.assign(data.address);
}
